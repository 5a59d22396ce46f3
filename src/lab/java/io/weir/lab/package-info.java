/**
 * What development and tests need and production never gets: the embedded broker and the simulated
 * fleet. Uses everything but commands.
 */
package io.weir.lab;

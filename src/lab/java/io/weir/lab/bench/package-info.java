/**
 * The bench: Weir and what it is compared with, each in a process of its own, on one broker. Uses
 * everything but commands.
 */
package io.weir.lab.bench;

/**
 * The expected results of readings, written from the design alone and computed in the simplest way.
 * Uses {@code alarm}, {@code deadletter}, {@code explain}, {@code keyed}, {@code reading}, {@code
 * topic}, {@code window} and {@code wire}, and shares only value types with the code under test.
 */
package io.weir.lab.oracle;

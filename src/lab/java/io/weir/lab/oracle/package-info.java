/**
 * The expected results of readings, written from the design alone and computed in the simplest way.
 * Uses {@code alarm}, {@code deadletter}, {@code keyed}, {@code reading}, {@code topic} and {@code
 * window}, and of the code that it is held against nothing but values.
 */
package io.weir.lab.oracle;

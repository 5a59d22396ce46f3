/**
 * Handlers: one object of a program's own a key, which gets the key's events one at a time and in
 * order, with a state, timers and outputs that are one transaction with them. Begin at {@link
 * io.weir.keyed.KeyedApplication}. Uses {@code app}, {@code deadletter}, {@code event}, {@code
 * ops}, {@code registry}, {@code store}, {@code time}, {@code topic}, {@code topology} and {@code
 * wire}.
 */
package io.weir.keyed;

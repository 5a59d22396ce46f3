/**
 * Handlers: one object of the user's program per key processes the key's events in order, with
 * state, timers and outputs in the same transaction. Start at {@link
 * io.weir.keyed.KeyedApplication}. Uses {@code app}, {@code deadletter}, {@code event}, {@code
 * ops}, {@code permission}, {@code reading}, {@code registry}, {@code store}, {@code text}, {@code
 * time}, {@code topic}, {@code topology} and {@code wire}.
 */
package io.weir.keyed;

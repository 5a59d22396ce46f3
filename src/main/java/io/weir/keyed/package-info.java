/**
 * Handlers: one object of a program's own a key, which gets the key's events one at a time and in
 * order, with a state, timers and outputs that are one transaction with them. Begin at {@link
 * io.weir.keyed.KeyedApplication}, which uses {@code topology}, {@code store}, {@code event},
 * {@code app} and {@code ops}.
 */
package io.weir.keyed;

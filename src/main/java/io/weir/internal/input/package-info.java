/**
 * Readings that clients send to the command edge: who may write, sensor ids, repeats, limits,
 * whatever the protocol. Uses {@code edge}, {@code reading}, {@code text}, {@code topic} and {@code
 * yaml}; no HTTP.
 */
package io.weir.internal.input;

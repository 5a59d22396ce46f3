/**
 * Sends late readings and dead letters of readings and events again. Uses {@code deadletter},
 * {@code event}, {@code reading}, {@code registry}, {@code signing}, {@code topic} and {@code
 * wire}; no state.
 */
package io.weir.internal.redrive;

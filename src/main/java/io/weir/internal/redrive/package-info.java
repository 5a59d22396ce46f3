/**
 * Sends late readings and dead letters to the readings again. Uses {@code deadletter}, {@code
 * reading}, {@code registry}, {@code signing}, {@code topic} and {@code wire}; no state.
 */
package io.weir.internal.redrive;

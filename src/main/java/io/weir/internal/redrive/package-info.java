/**
 * Sends late readings and dead letters again, each once. {@link io.weir.internal.redrive.Redrive}
 * writes the records and a mark for each in one transaction. Uses {@code deadletter}, {@code
 * event}, {@code reading}, {@code registry}, {@code signing}, {@code topic} and {@code wire}.
 */
package io.weir.internal.redrive;

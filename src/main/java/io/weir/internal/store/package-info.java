/**
 * The durable form of windows, sequences and timers: objects on the heap, their changes in a
 * changelog. Uses {@code alarm}, {@code deadletter}, {@code event}, {@code group}, {@code reading}
 * and {@code window}, which it keeps, and, in one class, internals of Kafka Streams.
 */
package io.weir.internal.store;

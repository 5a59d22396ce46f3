/**
 * The durable form of windows, sequences and timers: objects on the heap, their changes in a
 * changelog. {@link io.weir.internal.store.HeapStore} writes at each commit; {@link
 * io.weir.internal.store.PartitionState} is the content for a partition of readings. {@code
 * HeapStore} depends on internals of Kafka Streams. Uses {@code alarm}, {@code deadletter}, {@code
 * event}, {@code group}, {@code reading}, {@code window} and {@code wire}.
 */
package io.weir.internal.store;

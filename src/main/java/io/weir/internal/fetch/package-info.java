/**
 * Consumers with bounded memory. {@link io.weir.internal.fetch.BoundedConsumer} replaces batches
 * that would decompress beyond a limit by a marker. Uses Kafka's clients and nothing of Weir.
 */
package io.weir.internal.fetch;

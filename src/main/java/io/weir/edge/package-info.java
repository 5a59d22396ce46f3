/**
 * The publisher that gateways embed. Start at {@link io.weir.edge.ReadingPublisher} for readings
 * and {@link io.weir.edge.EventPublisher} for events. Offers go to a queue for each partition; one
 * thread sequences the batches, writes them to the outbox and sends them. Uses {@code deadletter},
 * {@code event}, {@code fetch}, {@code reading}, {@code registry}, {@code signing}, {@code topic}
 * and {@code wire}, and of libraries kafka-clients, protobuf-java, micrometer-core and slf4j-api
 * alone.
 */
package io.weir.edge;

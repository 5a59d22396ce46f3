/**
 * Sends readings and events from an outbox in PostgreSQL to Kafka, each exactly once. {@link
 * io.weir.internal.collect.Collector} commits encoded batches with the cursors before it sends
 * them. Uses {@code app}, {@code event}, {@code fetch}, {@code postgres}, {@code reading}, {@code
 * registry}, {@code signing}, {@code text}, {@code time}, {@code topic} and {@code wire}, a plain
 * producer and JDBC.
 */
package io.weir.internal.collect;

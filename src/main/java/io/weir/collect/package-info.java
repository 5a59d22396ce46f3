/**
 * Readings and events out of an outbox in PostgreSQL to Kafka, each exactly once. Uses a plain
 * producer and JDBC, and no Kafka Streams.
 */
package io.weir.collect;

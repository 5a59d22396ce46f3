/**
 * Writes topics to tables of PostgreSQL, each record exactly once. {@link
 * io.weir.internal.sink.SinkLoop} reads and batches records; rows and offsets are written in one
 * transaction. Uses {@code app}, {@code deadletter}, {@code fetch}, {@code postgres}, {@code
 * reading}, {@code summary}, {@code time}, {@code topic} and {@code wire}, a consumer and JDBC.
 */
package io.weir.internal.sink;

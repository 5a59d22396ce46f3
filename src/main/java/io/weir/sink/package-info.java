/**
 * Topics into tables of PostgreSQL, each record exactly once. Uses a plain consumer and JDBC, and
 * no Kafka Streams.
 */
package io.weir.sink;

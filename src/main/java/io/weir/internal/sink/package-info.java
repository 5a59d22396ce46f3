/**
 * Writes topics to tables of PostgreSQL, each record exactly once. Uses {@code app}, {@code fetch},
 * {@code postgres}, {@code summary}, {@code time}, {@code topic} and {@code wire}, a consumer and
 * JDBC.
 */
package io.weir.internal.sink;

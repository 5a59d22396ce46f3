/**
 * Topics into tables of PostgreSQL, each record exactly once. Uses {@code app}, {@code postgres},
 * {@code summary}, {@code time}, {@code topic} and {@code wire}, a plain consumer and JDBC.
 */
package io.weir.sink;

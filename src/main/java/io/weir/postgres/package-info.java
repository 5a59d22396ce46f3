/**
 * Connections to a PostgreSQL database that are not waited for without end, what failures mean, and
 * tables made by numbered files. Uses plain JDBC.
 */
package io.weir.postgres;

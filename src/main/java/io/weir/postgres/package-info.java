/**
 * Connections to a PostgreSQL database that are not waited for without end, what failures mean, and
 * tables made by numbered files. Uses {@code app} for its settings, and JDBC.
 */
package io.weir.postgres;

/**
 * Connections to PostgreSQL with limited waits, the classes of its failures, and schemas in
 * numbered files. Uses {@code app} for its settings, and JDBC.
 */
package io.weir.internal.postgres;

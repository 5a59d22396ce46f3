/**
 * Connections to PostgreSQL with limited waits ({@link io.weir.internal.postgres.Database}),
 * classes of failures, and schemas in numbered files ({@link
 * io.weir.internal.postgres.SchemaFiles}). Uses {@code app} for its settings, and JDBC.
 */
package io.weir.internal.postgres;

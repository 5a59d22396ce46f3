/**
 * What every program at a PostgreSQL database needs: connections that are not waited for without
 * end, the meaning of failures, and tables made by numbered files. Stateless; plain JDBC.
 */
package io.weir.postgres;

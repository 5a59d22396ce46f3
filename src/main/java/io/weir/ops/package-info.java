/**
 * Metrics, health and the HTTP they are shown over. Uses everything that is measured; no command.
 */
package io.weir.ops;

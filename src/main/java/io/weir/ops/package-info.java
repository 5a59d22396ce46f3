/**
 * Metrics, health and the HTTP they are shown over. Uses services of {@code app} and what the
 * topology measures; no command.
 */
package io.weir.ops;

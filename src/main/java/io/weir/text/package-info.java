/**
 * Readings as text, and the latest summaries of windows as text. Uses readings and summaries; no
 * cluster.
 */
package io.weir.text;

/**
 * Readings as text, and the latest summaries of windows as text. Uses {@code event}, {@code
 * reading}, {@code summary} and {@code window}; no cluster.
 */
package io.weir.internal.text;

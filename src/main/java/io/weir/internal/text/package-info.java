/**
 * Readings as text, and the latest summaries of windows as text. {@link
 * io.weir.internal.text.ReadingTextReader} reads CSV, JSON and line protocol. No cluster. Uses
 * {@code event}, {@code reading}, {@code summary} and {@code window}.
 */
package io.weir.internal.text;

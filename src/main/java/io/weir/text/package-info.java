/** Readings as text, and the latest summaries of windows as text. */
package io.weir.text;

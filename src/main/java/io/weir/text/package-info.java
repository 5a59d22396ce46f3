/** Readings as text, and the truths of windows as text. */
package io.weir.text;

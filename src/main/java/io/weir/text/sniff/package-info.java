/**
 * Looks at the beginning of a file and says what it is and how to read it. Uses {@code text} alone.
 */
package io.weir.text.sniff;

/**
 * Looks at the beginning of a file and says what it is and how to read it. Uses the text formats
 * and mappings alone.
 */
package io.weir.text.sniff;

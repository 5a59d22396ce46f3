/** Looks at the beginning of a file and says what it is and how to read it. */
package io.weir.text.sniff;

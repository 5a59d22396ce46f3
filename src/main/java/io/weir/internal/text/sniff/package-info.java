/**
 * Looks at the beginning of a file, or at records of a topic, and says what it is and how to read
 * it. Uses {@code reading}, and of its own family the text formats and mappings.
 */
package io.weir.internal.text.sniff;

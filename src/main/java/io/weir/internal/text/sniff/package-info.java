/**
 * Detects the format of a file, or of the records of a topic, and the options to read it. Start at
 * {@link io.weir.internal.text.sniff.Sniffer}. Uses {@code reading}, and of its own family the text
 * formats and mappings.
 */
package io.weir.internal.text.sniff;

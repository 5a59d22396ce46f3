/**
 * Files in YAML that people write: read as plain text, lists and maps, with messages that name
 * file, place, field and what is allowed. Uses {@code time}, and a library for YAML.
 */
package io.weir.yaml;

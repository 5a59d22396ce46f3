/**
 * Files in YAML that people write: read as plain text, lists and maps, with messages that name
 * file, place, field and what is allowed. Uses a library for YAML, and of Weir only durations.
 */
package io.weir.yaml;

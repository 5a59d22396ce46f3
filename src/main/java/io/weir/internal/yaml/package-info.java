/**
 * Hand-written YAML files: read as text, lists and maps, with messages that name file, place, field
 * and expected values. Uses {@code time}, and a library for YAML.
 */
package io.weir.internal.yaml;

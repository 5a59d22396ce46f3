/**
 * YAML files that people write. {@link io.weir.internal.yaml.YamlFile} reads them as text, lists
 * and maps; an error names file, place, field and expected values. Uses {@code time}, and a library
 * for YAML.
 */
package io.weir.internal.yaml;

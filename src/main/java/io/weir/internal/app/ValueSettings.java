package io.weir.internal.app;

import io.weir.internal.registry.ProtobufSerde;
import io.weir.internal.registry.RegistrySettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings of a schema registry by Confluent's names, and of a custom serde. */
final class ValueSettings {
  private static final List<Key<?>> REGISTRY =
      List.of(
          RegistryKeys.SCHEMA_REGISTRY_URL,
          RegistryKeys.AUTO_REGISTER,
          RegistryKeys.USE_LATEST,
          RegistryKeys.SUBJECT_NAMES,
          RegistryKeys.BASIC_SOURCE,
          RegistryKeys.BASIC_USER_INFO,
          RegistryKeys.BEARER_SOURCE,
          RegistryKeys.BEARER_TOKEN,
          RegistryKeys.SCHEMA_IDS);

  private ValueSettings() {}

  /**
   * @throws ConfigException if they conflict
   */
  static Map<String, Object> of(Settings settings, KafkaSettings kafka, List<String> warnings) {
    Map<String, Object> values = new HashMap<>(kafka.passed());
    for (Key<?> key : REGISTRY) {
      settings.find(key).ifPresent(value -> values.put(key.name(), value));
    }
    settings
        .find(RegistryKeys.SERDE_CLASS)
        .ifPresent(serde -> values.put(ProtobufSerde.SERDE_CLASS, serde));
    try {
      RegistrySettings.of(values)
          .clearTextUrl()
          .ifPresent(
              url ->
                  warnings.add(
                      RegistryKeys.SCHEMA_REGISTRY_URL.propertyName()
                          + ": credentials go to "
                          + url
                          + " in clear text: use https"));
    } catch (org.apache.kafka.common.config.ConfigException e) {
      throw new ConfigException("schema registry, weir.<its setting>: " + e.getMessage());
    }
    return values;
  }
}

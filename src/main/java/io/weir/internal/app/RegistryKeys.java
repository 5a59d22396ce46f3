package io.weir.internal.app;

import static io.weir.internal.app.ValueType.choice;
import static io.weir.internal.app.ValueType.className;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.registryUrls;
import static io.weir.internal.app.ValueType.text;

import io.weir.internal.registry.RegistrySettings;
import java.util.List;

/** The settings of a schema registry: a part of the catalogue {@link Keys}. */
public final class RegistryKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> SCHEMA_REGISTRY_URL =
      KEYS.unset(
          "schema.registry.url",
          registryUrls(),
          "URLs of the schema registry, separated by commas; if set, values are framed in"
              + " Confluent's format");
  public static final Key<Boolean> AUTO_REGISTER =
      KEYS.of(
          RegistrySettings.AUTO_REGISTER,
          flag(),
          "true",
          "registry: register schemas automatically; if false, they must exist (weir topics"
              + " registers them)");
  public static final Key<Boolean> USE_LATEST =
      KEYS.of(
          RegistrySettings.USE_LATEST,
          flag(),
          "false",
          "registry: without auto.register.schemas, write the id of the latest version of the"
              + " subject");
  public static final Key<String> SUBJECT_NAMES =
      KEYS.of(
          RegistrySettings.VALUE_SUBJECT_NAMES,
          className("TopicNameStrategy", "RecordNameStrategy", "TopicRecordNameStrategy"),
          "TopicNameStrategy",
          "registry: naming strategy of subjects: TopicNameStrategy, RecordNameStrategy or"
              + " TopicRecordNameStrategy");
  public static final Key<String> BASIC_SOURCE =
      KEYS.of(
          RegistrySettings.BASIC_SOURCE,
          choice("URL", "USER_INFO", "SASL_INHERIT"),
          "URL",
          "registry: source of user name and password: URL, USER_INFO or SASL_INHERIT");
  public static final Key<String> BASIC_USER_INFO =
      KEYS.unset(
          RegistrySettings.BASIC_USER_INFO,
          text(4_096),
          "registry: user name and password as name:password");
  public static final Key<String> BEARER_SOURCE =
      KEYS.unset(
          RegistrySettings.BEARER_SOURCE,
          choice("STATIC_TOKEN"),
          "registry: STATIC_TOKEN authenticates with a token in place of user name and password");
  public static final Key<String> BEARER_TOKEN =
      KEYS.unset(RegistrySettings.BEARER_TOKEN, text(65_536), "registry: the token");
  public static final Key<String> SCHEMA_IDS =
      KEYS.unset(
          RegistrySettings.SCHEMA_IDS,
          text(10_000),
          "registry: allowed schema ids of input records, separated by commas; default: every id"
              + " of the registry");
  public static final Key<String> SERDE_CLASS =
      KEYS.unset(
          "serde.class",
          text(1_000),
          "class of a Kafka Serde that replaces Weir's own serialisation of values");

  static final List<Key<?>> ALL = KEYS.all();

  private RegistryKeys() {}
}

package io.weir.internal.app;

import java.util.Map;
import java.util.Set;

/** Kafka settings that Weir fixes: another value would break its guarantees. */
final class FixedKafkaKeys {
  private static final Set<String> FIXED =
      Set.of(
          "acks",
          "allow.auto.create.topics",
          "auto.offset.reset",
          "default.deserialization.exception.handler",
          "default.key.serde",
          "default.production.exception.handler",
          "default.timestamp.extractor",
          "default.value.serde",
          "deserialization.exception.handler",
          "enable.auto.commit",
          "enable.idempotence",
          "ensure.explicit.internal.resource.naming",
          "errors.dead.letter.queue.topic.name",
          "group.id",
          "group.protocol",
          "group.remote.assignor",
          "isolation.level",
          "key.deserializer",
          "key.serializer",
          "partitioner.class",
          "processing.exception.handler",
          "processing.guarantee",
          "production.exception.handler",
          "transactional.id",
          "value.deserializer",
          "value.serializer");

  private static final Map<String, Key<?>> OWN =
      Map.of(
          "application.id", Keys.APPLICATION_ID,
          "bootstrap.servers", Keys.BOOTSTRAP_SERVERS,
          "group.instance.id", Keys.INSTANCE_ID,
          "num.stream.threads", Keys.THREADS,
          "state.dir", Keys.STATE_DIR);

  private FixedKafkaKeys() {}

  /**
   * Accepts all other keys.
   *
   * @throws ConfigException if the key, with or without a client's prefix, must not be set
   */
  static void refuse(String name, Environment.Found found) {
    FIXED.stream()
        .filter(fixed -> isOrEndsWith(name, fixed))
        .findFirst()
        .ifPresent(
            fixed -> {
              throw ConfigException.of(
                  name, found.value(), found.source(), "expected: not set, Weir fixes it");
            });
    OWN.forEach(
        (own, key) -> {
          if (isOrEndsWith(name, own)) {
            throw ConfigException.of(
                name, found.value(), found.source(), "expected: " + key.variableName());
          }
        });
  }

  private static boolean isOrEndsWith(String name, String key) {
    return name.equals(key)
        || name.equals("producer." + key)
        || name.equals("admin." + key)
        || (name.endsWith("consumer." + key));
  }
}

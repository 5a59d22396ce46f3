package io.weir.cli;

import io.weir.app.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Clients for short commands: a cluster that does not answer is given up soon. */
public final class Connections {
  private static final String TIMEOUT = "default.api.timeout.ms";
  private static final String REQUEST_TIMEOUT = "request.timeout.ms";

  private Connections() {}

  public static Admin admin(KafkaSettings kafka) {
    return Admin.create(impatient(kafka.forAdmin()));
  }

  /** A consumer of no group, which sees only what was committed. */
  static KafkaConsumer<byte[], byte[]> reader(KafkaSettings kafka) {
    return reader(kafka, Map.of());
  }

  /** As {@link #reader(KafkaSettings)}, with settings of the command's own. */
  static KafkaConsumer<byte[], byte[]> reader(KafkaSettings kafka, Map<String, Object> own) {
    Map<String, Object> settings = impatient(kafka.forConsumer());
    settings.putAll(own);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static Map<String, Object> impatient(Map<String, Object> settings) {
    settings.putIfAbsent(TIMEOUT, "15000");
    settings.putIfAbsent(REQUEST_TIMEOUT, "10000");
    return settings;
  }
}

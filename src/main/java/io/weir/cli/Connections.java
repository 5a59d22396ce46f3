package io.weir.cli;

import io.weir.internal.app.KafkaSettings;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.fetch.BoundedConsumer;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients for short commands, with short timeouts. */
public final class Connections {
  private static final String TIMEOUT = "default.api.timeout.ms";
  private static final String REQUEST_TIMEOUT = "request.timeout.ms";

  private Connections() {}

  public static Admin admin(KafkaSettings kafka) {
    return Admin.create(impatient(kafka.forAdmin()));
  }

  /** A consumer without a group, which reads committed records only. */
  static KafkaConsumer<byte[], byte[]> reader(WeirConfig config) {
    return reader(config, Map.of());
  }

  /** Same as {@link #reader(WeirConfig)}, with settings of the command. */
  static KafkaConsumer<byte[], byte[]> reader(WeirConfig config, Map<String, Object> own) {
    Map<String, Object> settings = impatient(config.kafka().forReader("earliest"));
    settings.putAll(own);
    return BoundedConsumer.open(settings, config.maxDecompressedRecordBytes());
  }

  /** Same as {@link #reader(WeirConfig)}; an offset out of range is an exception. */
  static KafkaConsumer<byte[], byte[]> strictReader(WeirConfig config) {
    return BoundedConsumer.open(
        impatient(config.kafka().forReader("none")), config.maxDecompressedRecordBytes());
  }

  /** A producer, with settings of the command. */
  static KafkaProducer<byte[], byte[]> writer(KafkaSettings kafka, Map<String, Object> own) {
    Map<String, Object> settings = kafka.forProducer();
    settings.putIfAbsent("delivery.timeout.ms", "15000");
    settings.putIfAbsent(REQUEST_TIMEOUT, "10000");
    settings.putIfAbsent("max.block.ms", "15000");
    settings.remove("transactional.id");
    settings.putAll(own);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static Map<String, Object> impatient(Map<String, Object> settings) {
    settings.putIfAbsent(TIMEOUT, "15000");
    settings.putIfAbsent(REQUEST_TIMEOUT, "10000");
    return settings;
  }
}

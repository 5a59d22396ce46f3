package io.weir.edge;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Hears what Weir refuses of one start of a gateway, on the dead-letter topic: the brokers
 * acknowledge a batch whether or not Weir believes it, so that a fenced gateway would not notice. A
 * thread and a consumer of its own, from the end of the topic on; needs the right to read it.
 */
final class DeadLetterWatch implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Duration CLOSE = Duration.ofMillis(200);

  private final Map<String, Object> settings;
  private final String topic;
  private final byte[] gatewayId;
  private final byte[] bootId;
  private final Consumer<String> reasons;
  private final FailureLog log;
  private final Thread thread;
  private volatile boolean closed;
  private volatile KafkaConsumer<byte[], byte[]> consumer;

  /**
   * @param reasons told of each dead letter's reason, on the watch's thread
   */
  DeadLetterWatch(PublisherSettings settings, String topic, long bootId, Consumer<String> reasons) {
    this.settings = consumerSettings(ProducerSettings.of(settings));
    this.topic = topic;
    this.gatewayId = settings.gatewayId().getBytes(StandardCharsets.UTF_8);
    this.bootId = Long.toUnsignedString(bootId).getBytes(StandardCharsets.US_ASCII);
    this.reasons = reasons;
    this.log = new FailureLog(settings.gatewayId());
    this.thread = new Thread(this::run, "weir-publisher-" + settings.gatewayId() + "-refused");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    KafkaConsumer<byte[], byte[]> reading = consumer;
    if (reading != null) {
      reading.wakeup();
    }
    thread.interrupt();
  }

  private void run() {
    while (!closed) {
      try {
        watch();
      } catch (WakeupException e) {
        // Closed.
      } catch (RuntimeException | Error e) {
        if (!closed) {
          log.failed("dead letters cannot be read", e, System.nanoTime());
          pause();
        }
      }
    }
  }

  private void watch() {
    KafkaConsumer<byte[], byte[]> reading =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer = reading;
    try {
      List<TopicPartition> partitions = new ArrayList<>();
      for (PartitionInfo partition : reading.partitionsFor(topic)) {
        partitions.add(new TopicPartition(topic, partition.partition()));
      }
      reading.assign(partitions);
      reading.seekToEnd(partitions);
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> letter : reading.poll(POLL)) {
          if (has(letter, "weir.gateway", gatewayId) && has(letter, "weir.boot_id", bootId)) {
            Header reason = letter.headers().lastHeader("weir.reason");
            reasons.accept(
                reason == null ? "" : new String(reason.value(), StandardCharsets.UTF_8));
          }
        }
      }
    } finally {
      consumer = null;
      Thread.interrupted();
      reading.close(CloseOptions.timeout(CLOSE));
    }
  }

  private static boolean has(ConsumerRecord<byte[], byte[]> letter, String name, byte[] value) {
    Header header = letter.headers().lastHeader(name);
    return header != null && Arrays.equals(header.value(), value);
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private static Map<String, Object> consumerSettings(Map<String, Object> producer) {
    Map<String, Object> settings = new HashMap<>(producer);
    settings.keySet().retainAll(ConsumerConfig.configNames());
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    return settings;
  }
}

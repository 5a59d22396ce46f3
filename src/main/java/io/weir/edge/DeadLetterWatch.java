package io.weir.edge;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.fetch.BoundedConsumer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the dead letters of a gateway from the dead-letter topic. Brokers acknowledge a batch
 * whether or not Weir counts it, so a fenced gateway would not notice otherwise. Uses one thread
 * and one consumer with bounded memory, which reads the whole topic from one minute before its
 * start. Without the READ permission it logs a line and ends; it retries other failures without
 * logging, because the publisher logs them.
 */
public final class DeadLetterWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadingPublisher.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration CLOSE = Duration.ofMillis(200);

  /** Covers dead letters between the start of the gateway and the first poll. */
  private static final Duration BACK = Duration.ofMinutes(1);

  /** The application may have a larger weir.max.record.bytes, which a gateway does not know. */
  private static final int MOST_OF_RECORD = 4 * BoundedConsumer.RECORD_BYTES;

  private final Map<String, Object> settings;
  private final String topic;
  private final String gatewayId;
  private final byte[] gatewayBytes;
  private final long fromMs;
  private final Refusal.Listener listener;
  private final Backoff backoff = Backoff.jittered();
  private final Map<TopicPartition, Long> nextOffsets = new HashMap<>();
  private final Thread thread;
  private volatile boolean reading;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile KafkaConsumer<byte[], byte[]> consumer;

  DeadLetterWatch(
      PublisherSettings settings, String topic, long clockMs, Refusal.Listener listener) {
    this.settings = consumerSettings(ProducerSettings.of(settings));
    this.topic = topic;
    this.gatewayId = settings.gatewayId();
    this.gatewayBytes = gatewayId.getBytes(StandardCharsets.UTF_8);
    this.fromMs = Math.max(0, clockMs - BACK.toMillis());
    this.listener = listener;
    this.thread = new Thread(this::run, "weir-publisher-" + gatewayId + "-refused");
    thread.setDaemon(true);
  }

  /**
   * Starts a watch for a gateway that opens and closes publishers. A single publisher has its own:
   * {@link PublisherSettings.Builder#watchDeadLetters}.
   *
   * @param settings the gateway id and the brokers
   * @param listener receives the dead letters of every start of the gateway, on the watch's thread
   */
  public static DeadLetterWatch start(
      PublisherSettings settings, String topic, Refusal.Listener listener) {
    DeadLetterWatch watch =
        new DeadLetterWatch(settings, topic, System.currentTimeMillis(), listener);
    watch.start();
    return watch;
  }

  void start() {
    thread.start();
  }

  /** Whether it reads the topic. */
  public boolean isReading() {
    return reading;
  }

  @Override
  public void close() {
    closing.countDown();
    KafkaConsumer<byte[], byte[]> open = consumer;
    if (open != null) {
      open.wakeup(); // No interrupt: a consumer would log it as an error while it closes.
    }
  }

  private boolean isClosed() {
    return closing.getCount() == 0;
  }

  private void run() {
    while (!isClosed()) {
      try {
        watch();
      } catch (AuthorizationException e) {
        LOG.warn(
            "Gateway {}: cannot read dead letters ({}), so batches that Weir refuses go "
                + "unnoticed here. Grant READ on topic {}.",
            gatewayId,
            e.getMessage(),
            topic);
        return;
      } catch (RuntimeException | Error e) {
        if (!isClosed()) {
          LOG.debug("Gateway {}: dead letters cannot be read", gatewayId, e);
          pause();
        }
      }
    }
  }

  private void watch() {
    KafkaConsumer<byte[], byte[]> open = BoundedConsumer.open(settings, MOST_OF_RECORD);
    consumer = open;
    try {
      List<PartitionInfo> partitions = open.partitionsFor(topic);
      if (isClosed() || partitions == null || partitions.isEmpty()) {
        pause();
        return;
      }
      backoff.reset();
      seek(open, partitions);
      reading = true;
      while (!isClosed()) {
        for (ConsumerRecord<byte[], byte[]> deadLetter : open.poll(POLL)) {
          nextOffsets.put(
              new TopicPartition(topic, deadLetter.partition()), deadLetter.offset() + 1);
          if (Arrays.equals(header(deadLetter, DeadLetterHeaders.GATEWAY), gatewayBytes)) {
            report(refusal(deadLetter));
          }
        }
      }
    } finally {
      reading = false;
      consumer = null;
      open.close(CloseOptions.timeout(CLOSE));
    }
  }

  /** An exception of the listener is logged: the dead letter counts as reported. */
  private void report(Refusal refusal) {
    try {
      listener.refused(refusal);
    } catch (RuntimeException e) {
      LOG.warn("Gateway {}: the listener of dead letters failed", gatewayId, e);
    }
  }

  /** Continues behind the last dead letter that was read; at first at those of the start. */
  private void seek(KafkaConsumer<byte[], byte[]> open, List<PartitionInfo> infos) {
    Map<TopicPartition, Long> times = new HashMap<>();
    infos.forEach(info -> times.put(new TopicPartition(topic, info.partition()), fromMs));
    open.assign(times.keySet());
    Map<TopicPartition, Long> ends = open.endOffsets(times.keySet());
    open.offsetsForTimes(times)
        .forEach((part, first) -> open.seek(part, first == null ? ends.get(part) : first.offset()));
    nextOffsets.forEach(open::seek);
  }

  private static Refusal refusal(ConsumerRecord<byte[], byte[]> deadLetter) {
    String reason =
        new String(header(deadLetter, DeadLetterHeaders.REASON), StandardCharsets.UTF_8);
    String bootId =
        new String(header(deadLetter, DeadLetterHeaders.BOOT_ID), StandardCharsets.US_ASCII);
    return new Refusal(reason, bootId.matches("[0-9]{1,19}") ? Long.parseUnsignedLong(bootId) : 0);
  }

  private static byte[] header(ConsumerRecord<byte[], byte[]> deadLetter, String name) {
    Header header = deadLetter.headers().lastHeader(name);
    return header == null || header.value() == null ? new byte[0] : header.value();
  }

  private void pause() {
    try {
      backoff.failed(System.nanoTime());
      TimeUnit.NANOSECONDS.sleep(backoff.remainingNanos(System.nanoTime()));
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

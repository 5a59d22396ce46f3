package io.weir.cli;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.json.TopicMessages;
import io.weir.topic.Topic;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.slf4j.LoggerFactory;

/** Counts the readings of a publisher that Weir sends to the topic of late readings. */
final class LateLook {
  /** Weir commits every two seconds. */
  static final Duration LIMIT = Duration.ofSeconds(3);

  private static final Duration POLL = Duration.ofMillis(100);

  /** Clocks of brokers differ by less. */
  private static final long BACK_MS = 60_000;

  private final WeirConfig config;
  private final String bootId;
  private final long sinceMs;

  /**
   * @param sinceMs the start of the publisher
   */
  LateLook(WeirConfig config, long bootId, long sinceMs) {
    this.config = config;
    this.bootId = Long.toUnsignedString(bootId);
    this.sinceMs = sinceMs;
  }

  /**
   * Late readings so far; 0 where the topic cannot be read. Waits for more until the limit.
   *
   * @param most all readings of the publisher
   */
  long count(long most, Duration limit, BooleanSupplier stopped) {
    long endNanos = System.nanoTime() + limit.toNanos();
    long late = 0;
    try (KafkaConsumer<byte[], byte[]> consumer = Connections.reader(config)) {
      seek(consumer, config.topics().late());
      while (late < most && !stopped.getAsBoolean() && endNanos - System.nanoTime() > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          late += isOfPublisher(record) ? readings(record) : 0;
        }
      }
    } catch (KafkaException | IllegalStateException e) {
      // No such topic or right: the gateway may send, and need not know.
      LoggerFactory.getLogger(LateLook.class).debug("late readings cannot be read", e);
    }
    return late;
  }

  /** A line for the user, with the usual reason and its remedy; empty if no reading is late. */
  static Optional<String> note(long late, long readings) {
    return late == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%,d of %,d readings are late: their windows are closed. A file that was sent before"
                    + " counts again, or is late; --ledger FILE sends each reading once."
                    + " weir tail late shows them",
                late,
                readings));
  }

  private void seek(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic);
    Map<TopicPartition, Long> times = new HashMap<>();
    (partitions == null ? List.<PartitionInfo>of() : partitions)
        .forEach(info -> times.put(new TopicPartition(topic, info.partition()), sinceMs - BACK_MS));
    consumer.assign(times.keySet());
    Map<TopicPartition, Long> ends = consumer.endOffsets(times.keySet());
    consumer
        .offsetsForTimes(times)
        .forEach(
            (part, first) -> consumer.seek(part, first == null ? ends.get(part) : first.offset()));
  }

  /** Withheld readings have a reason: they are not late. */
  private boolean isOfPublisher(ConsumerRecord<byte[], byte[]> record) {
    Header boot = record.headers().lastHeader(DeadLetterHeaders.BOOT_ID);
    return boot != null
        && boot.value() != null
        && bootId.equals(new String(boot.value(), StandardCharsets.US_ASCII))
        && record.headers().lastHeader(DeadLetterHeaders.REASON) == null;
  }

  private static long readings(ConsumerRecord<byte[], byte[]> record) {
    return TopicMessages.read(Topic.LATE, record.value())
        .map(ReadingBatch.class::cast)
        .map(
            batch ->
                batch.getReadingsCount()
                    + batch.getSeriesList().stream().mapToLong(Series::getValueCount).sum())
        .orElse(0L);
  }
}

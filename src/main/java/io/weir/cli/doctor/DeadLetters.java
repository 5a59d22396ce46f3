package io.weir.cli.doctor;

import io.weir.internal.deadletter.DeadLetterHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Dead letters of the last hour, by reason, topic of the refused record, and gateway. Reads a
 * bounded number of them.
 */
final class DeadLetters {
  static final Duration LOOKED_BACK = Duration.ofHours(1);

  private static final int MOST_READ = 100_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final Map<Kind, Map<String, Long>> byKind = new TreeMap<>();
  private long read;

  DeadLetters() {}

  /**
   * Dead letters with one remedy.
   *
   * @param reason why their records were refused
   * @param topic the topic of the refused records; empty if unknown
   */
  record Kind(String reason, String topic) implements Comparable<Kind> {
    @Override
    public int compareTo(Kind other) {
      int byReason = reason.compareTo(other.reason);
      return byReason != 0 ? byReason : topic.compareTo(other.topic);
    }
  }

  /** Reads the dead letters of the last hour. */
  static DeadLetters read(Examination cluster, long nowMs) {
    DeadLetters letters = new DeadLetters();
    try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader().get()) {
      letters.read(cluster, consumer, nowMs);
    }
    return letters;
  }

  private void read(Examination cluster, KafkaConsumer<byte[], byte[]> consumer, long nowMs) {
    Map<TopicPartition, Long> since = new HashMap<>();
    Map<TopicPartition, Long> left = new HashMap<>();
    cluster
        .after()
        .of(cluster.config().topics().deadLetters())
        .forEach(
            partition -> {
              if (cluster.after().stable().get(partition)
                  > cluster.after().first().get(partition)) {
                since.put(partition, nowMs - LOOKED_BACK.toMillis());
              }
            });
    for (Map.Entry<TopicPartition, OffsetAndTimestamp> from :
        consumer.offsetsForTimes(since).entrySet()) {
      if (from.getValue() != null) {
        left.put(from.getKey(), from.getValue().offset());
      }
    }
    consumer.assign(left.keySet());
    left.forEach(consumer::seek);
    long endNanos = System.nanoTime() + TIMEOUT.toNanos();
    while (read < MOST_READ && System.nanoTime() < endNanos && !isOver(cluster, consumer)) {
      for (ConsumerRecord<byte[], byte[]> letter : consumer.poll(Duration.ofMillis(200))) {
        add(letter);
      }
    }
  }

  void add(ConsumerRecord<byte[], byte[]> letter) {
    read++;
    Kind kind =
        new Kind(header(letter, DeadLetterHeaders.REASON), header(letter, DeadLetterHeaders.TOPIC));
    byKind
        .computeIfAbsent(kind, any -> new TreeMap<>())
        .merge(header(letter, DeadLetterHeaders.GATEWAY), 1L, Long::sum);
  }

  private static boolean isOver(Examination cluster, KafkaConsumer<byte[], byte[]> consumer) {
    return consumer.assignment().stream()
        .allMatch(
            partition -> consumer.position(partition) >= cluster.after().stable().get(partition));
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    Header header = letter.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  Set<Kind> kinds() {
    return byKind.keySet();
  }

  /** The number of a kind. */
  long count(Kind kind) {
    return byKind.getOrDefault(kind, Map.of()).values().stream().mapToLong(n -> n).sum();
  }

  /** The gateways with dead letters of a kind, most first, for messages. */
  String gateways(Kind kind) {
    return Offsets.list(
        byKind.getOrDefault(kind, Map.of()).entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .toList(),
        gateway ->
            (gateway.getKey().isEmpty() ? "(unknown)" : gateway.getKey())
                + " "
                + gateway.getValue());
  }
}

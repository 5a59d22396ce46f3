package io.weir.dev.chaos;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * How often the rings of a run's changelog came round: each record of changes has its number. Not
 * safe for several threads.
 */
final class RingTurns {
  private static final String CHANGELOG = Application.APPLICATION_ID + "-weir-state-changelog";
  private static final byte CHANGES = 'D';

  /** Segments of seconds, and cleaners that clean each as soon as it is no longer written to. */
  private static final Map<String, String> CLEANED_SOON =
      Map.of(
          "log.roll.ms", "4000",
          "log.cleaner.backoff.ms", "500",
          "log.cleaner.min.cleanable.ratio", "0.001",
          "log.cleaner.delete.retention.ms", "1000");

  private final Map<Integer, Long> byPartition = new TreeMap<>();
  private int slots;

  /** Settings of the brokers of a run with small rings. */
  static Map<String, String> brokers(ChaosSettings settings) {
    return settings.ring() == 0 ? Map.of() : CLEANED_SOON;
  }

  /** Reads the changelog; a line about it. */
  String read(String bootstrapServers) {
    long[] records = new long[1];
    try (CommittedTopic changelog = new CommittedTopic(bootstrapServers)) {
      Map<?, Long> ends =
          changelog.read(
              CHANGELOG,
              record -> {
                records[0]++;
                read(record);
              });
      long written = ends.values().stream().mapToLong(Long::longValue).sum();
      return String.format(
          Locale.ROOT,
          "rings of %d slots: came round %,d times and more, %,d at the most; of %,d offsets of the"
              + " changelog %,d records are left",
          slots,
          byPartition.values().stream().mapToLong(Long::longValue).min().orElse(0),
          byPartition.values().stream().mapToLong(Long::longValue).max().orElse(0),
          written,
          records[0]);
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    if (record.key()[0] != CHANGES || record.value() == null) {
      return;
    }
    CodedInputStream in = CodedInputStream.newInstance(record.value());
    try {
      in.readUInt32();
      long number = in.readUInt64();
      in.readUInt64();
      slots = in.readUInt32();
      byPartition.merge(record.partition(), number / slots, Math::max);
    } catch (IOException e) {
      throw new UncheckedIOException(record.topic() + "-" + record.partition(), e);
    }
  }
}

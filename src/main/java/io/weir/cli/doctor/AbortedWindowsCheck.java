package io.weir.cli.doctor;

import io.weir.internal.fetch.BoundedConsumer;
import io.weir.summary.SummaryDeserializer;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Finds windows whose transaction was aborted although its offsets may be committed: a coordinator
 * that loses its decision can write different markers to the partitions of offsets and of windows.
 */
final class AbortedWindowsCheck implements Check {
  private static final int MOST_NAMED = 3;

  private final LongSupplier wallMs;

  AbortedWindowsCheck(LongSupplier wallMs) {
    this.wallMs = wallMs;
  }

  @Override
  public String name() {
    return "aborted-windows";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    Map<Integer, List<AbortedWindows.Aborted>> byPartition =
        AbortedWindows.find(cluster, () -> uncommitted(cluster), wallMs.getAsLong()).stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.partition().partition(), TreeMap::new, Collectors.toList()));
    return byPartition.isEmpty()
        ? List.of()
        : List.of(
            risk(
                "windows were aborted and not written again: "
                    + Offsets.list(List.copyOf(byPartition.values()), AbortedWindowsCheck::say),
                "a transaction coordinator may have lost its decision, so that their offsets are committed"
                    + " without them; or weir run has made no progress there since",
                "if weir run has made progress there (weir doctor, lag), start with a new"
                    + " weir.application.id: docs/operate/runbook.md, Hanging"
                    + " transaction"));
  }

  private static String say(List<AbortedWindows.Aborted> ofPartition) {
    AbortedWindows.Aborted first = ofPartition.get(0);
    String some =
        ofPartition.stream()
            .limit(MOST_NAMED)
            .map(each -> each.sensorId() + " of " + Instant.ofEpochMilli(each.startMs()))
            .collect(Collectors.joining(", "));
    return first.partition()
        + " offsets "
        + first.offset()
        + " to "
        + ofPartition.get(ofPartition.size() - 1).offset()
        + ", "
        + ofPartition.size()
        + " in total: "
        + some;
  }

  private static KafkaConsumer<byte[], byte[]> uncommitted(Examination cluster) {
    Map<String, Object> settings = cluster.config().kafka().forReader("earliest");
    settings.put("isolation.level", "read_uncommitted");
    settings.putIfAbsent("default.api.timeout.ms", "15000");
    return BoundedConsumer.open(settings, cluster.config().maxDecompressedRecordBytes());
  }

  /**
   * Finds window summaries whose transaction was aborted and that were not written again. Only
   * read_uncommitted consumers see them. A member that crashes leaves aborted summaries too, but
   * its successor writes them again, because offsets and windows are in one transaction. Reads the
   * newest records of each partition twice, and a third time if any were aborted; keeps a bit for
   * each record, and the aborted summaries. One thread.
   */
  static final class AbortedWindows {
    static final Duration LOOKED_BACK = Duration.ofHours(1);

    /** A younger window may still be written again. */
    static final Duration SETTLED = Duration.ofMinutes(5);

    private static final int MOST_READ = 2_000_000;
    private static final int MOST_ABORTED = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final Map<TopicPartition, Long> from = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    /** A bit for each offset, from the first one read. */
    private final Map<TopicPartition, BitSet> committed = new HashMap<>();

    private final List<Aborted> aborted = new ArrayList<>();

    /** Revisions of aborted windows that were written again; -1 if not. */
    private final Map<Window, Integer> newest = new HashMap<>();

    private final SummaryDeserializer summaries = new SummaryDeserializer();

    private record Window(String sensorId, long startMs) implements Comparable<Window> {
      /** The tables of the JDK use it where senders choose names with equal hashes. */
      private static final Comparator<Window> ORDER =
          Comparator.comparing(Window::sensorId).thenComparingLong(Window::startMs);

      @Override
      public int compareTo(Window other) {
        return ORDER.compare(this, other);
      }
    }

    /** A summary without a committed copy. */
    record Aborted(
        TopicPartition partition, long offset, String sensorId, long startMs, int revision) {}

    private AbortedWindows() {}

    /**
     * The aborted summaries of the last hour.
     *
     * @param uncommitted creates a read_uncommitted consumer
     */
    static List<Aborted> find(
        Examination cluster, Supplier<KafkaConsumer<byte[], byte[]>> uncommitted, long nowMs) {
      AbortedWindows found = new AbortedWindows();
      try (KafkaConsumer<byte[], byte[]> reader = cluster.reader().get()) {
        found.begin(cluster, reader, nowMs - LOOKED_BACK.toMillis());
        found.read(reader, found::addCommitted);
      }
      try (KafkaConsumer<byte[], byte[]> reader = uncommitted.get()) {
        found.read(reader, record -> found.addAborted(record, nowMs - SETTLED.toMillis()));
      }
      if (found.aborted.isEmpty()) {
        return List.of();
      }
      try (KafkaConsumer<byte[], byte[]> reader = cluster.reader().get()) {
        found.read(reader, found::addRewritten);
      }
      return found.aborted.stream()
          .filter(
              each ->
                  found.newest.get(new Window(each.sensorId(), each.startMs())) < each.revision())
          .toList();
    }

    private void begin(Examination cluster, KafkaConsumer<byte[], byte[]> reader, long sinceMs) {
      Map<TopicPartition, Long> since = new HashMap<>();
      for (TopicPartition partition : cluster.after().of(cluster.config().topics().windows())) {
        if (cluster.after().stable().get(partition) > cluster.after().first().get(partition)) {
          since.put(partition, sinceMs);
        }
      }
      long most = MOST_READ / Math.max(1, since.size());
      for (Map.Entry<TopicPartition, OffsetAndTimestamp> each :
          reader.offsetsForTimes(since).entrySet()) {
        if (each.getValue() != null) {
          long end = cluster.after().stable().get(each.getKey());
          from.put(each.getKey(), Math.max(each.getValue().offset(), end - most));
          ends.put(each.getKey(), end);
        }
      }
    }

    private void read(
        KafkaConsumer<byte[], byte[]> reader, Consumer<ConsumerRecord<byte[], byte[]>> action) {
      reader.assign(from.keySet());
      from.forEach(reader::seek);
      long endNanos = System.nanoTime() + TIMEOUT.toNanos();
      while (!ends.entrySet().stream().allMatch(e -> reader.position(e.getKey()) >= e.getValue())) {
        if (System.nanoTime() > endNanos) {
          throw new KafkaException(
              "the newest windows were not read in " + TIMEOUT.toSeconds() + " s");
        }
        reader.poll(Duration.ofMillis(200)).forEach(action);
      }
    }

    private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
      return new TopicPartition(record.topic(), record.partition());
    }

    private void addCommitted(ConsumerRecord<byte[], byte[]> record) {
      TopicPartition partition = partition(record);
      committed
          .computeIfAbsent(partition, any -> new BitSet())
          .set((int) (record.offset() - from.get(partition)));
    }

    private void addRewritten(ConsumerRecord<byte[], byte[]> record) {
      WindowSummary summary = summary(record);
      if (summary != null) {
        newest.computeIfPresent(
            window(summary), (window, revision) -> Math.max(revision, summary.getRevision()));
      }
    }

    private void addAborted(ConsumerRecord<byte[], byte[]> record, long settledMs) {
      TopicPartition partition = partition(record);
      boolean isAborted =
          record.offset() < ends.get(partition)
              && record.timestamp() <= settledMs
              && !committed
                  .getOrDefault(partition, new BitSet())
                  .get((int) (record.offset() - from.get(partition)));
      WindowSummary summary = isAborted && aborted.size() < MOST_ABORTED ? summary(record) : null;
      if (summary != null) {
        newest.put(window(summary), -1);
        aborted.add(
            new Aborted(
                partition,
                record.offset(),
                summary.getSensorId(),
                summary.getWindowStartMs(),
                summary.getRevision()));
      }
    }

    private static Window window(WindowSummary summary) {
      return new Window(summary.getSensorId(), summary.getWindowStartMs());
    }

    /** Null for a record of another program. */
    private WindowSummary summary(ConsumerRecord<byte[], byte[]> record) {
      try {
        return summaries.deserialize(record.topic(), record.value());
      } catch (SerializationException e) {
        return null;
      }
    }
  }
}

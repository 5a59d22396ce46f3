package io.weir.cli.doctor;

import io.weir.internal.fetch.BoundedConsumer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;

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
    Map<String, Object> settings = cluster.config().kafka().forConsumer();
    settings.put("isolation.level", "read_uncommitted");
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    settings.put("allow.auto.create.topics", "false");
    settings.putIfAbsent("default.api.timeout.ms", "15000");
    return BoundedConsumer.open(settings, cluster.config().maxDecompressedRecordBytes());
  }
}

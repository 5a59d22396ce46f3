package io.weir.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;

/**
 * Transactions that brokers committed in some partitions and aborted in others (KAFKA-5059), as
 * their files show it. No transaction of an epoch ends twice in Kafka 4, and no client can prevent
 * this: it explains what an oracle misses.
 */
final class HalfEndedTransactions {
  private final Map<String, Map<ControlRecordType, Set<String>>> ends = new TreeMap<>();

  /**
   * Reads the files of all brokers, which may run.
   *
   * @param dir has a directory {@code broker-N} for each broker
   */
  static HalfEndedTransactions read(Path dir) throws IOException {
    HalfEndedTransactions transactions = new HalfEndedTransactions();
    for (Path broker : directories(dir, "broker-")) {
      for (Path partition : directories(broker, "")) {
        transactions.readPartition(partition);
      }
    }
    return transactions;
  }

  private static List<Path> directories(Path dir, String prefix) throws IOException {
    try (Stream<Path> entries = Files.list(dir)) {
      return entries
          .filter(Files::isDirectory)
          .filter(each -> each.getFileName().toString().startsWith(prefix))
          .toList();
    }
  }

  private void readPartition(Path partition) throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.list(partition)) {
      logs = files.filter(file -> file.toString().endsWith(".log")).toList();
    }
    for (Path log : logs) {
      FileRecords records = FileRecords.open(log.toFile(), false);
      try {
        for (FileChannelRecordBatch batch : records.batches()) {
          if (batch.isControlBatch() && batch.hasProducerId()) {
            add(batch, partition.getFileName().toString());
          }
        }
      } finally {
        // close() would cut off what a running broker has appended since.
        records.closeHandlers();
      }
    }
  }

  private void add(FileChannelRecordBatch batch, String partition) {
    String transaction =
        "producer %d epoch %d".formatted(batch.producerId(), batch.producerEpoch());
    batch.forEach(
        end ->
            ends.computeIfAbsent(transaction, any -> new TreeMap<>())
                .computeIfAbsent(ControlRecordType.parse(end.key()), any -> new TreeSet<>())
                .add(partition));
  }

  /** A line for each; none if there is none. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    ends.forEach(
        (transaction, byEnd) -> {
          Set<String> committed = byEnd.getOrDefault(ControlRecordType.COMMIT, Set.of());
          Set<String> aborted = byEnd.getOrDefault(ControlRecordType.ABORT, Set.of());
          if (!committed.isEmpty() && !aborted.isEmpty()) {
            Set<String> onlyAborted = new TreeSet<>(aborted);
            onlyAborted.removeAll(committed);
            lines.add(
                String.format(
                    Locale.ROOT,
                    "brokers: the transaction of %s was committed in %,d partitions and aborted in"
                        + " others (KAFKA-5059): %s",
                    transaction,
                    committed.size(),
                    onlyAborted));
          }
        });
    return lines;
  }
}

package io.weir.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionState;

/** The files of a broker that does not run: what was written is taken back. */
public final class BrokerFiles {
  private BrokerFiles() {}

  /** As a kill leaves them: copied while the broker runs. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path each : tree.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  /**
   * Takes back the ends of transactions in partitions.
   *
   * @param partitions directories that begin so
   */
  public static void cutMarkers(Path data, String partitions) throws IOException {
    cut(data, partitions, FileChannelRecordBatch::isControlBatch);
  }

  /** Takes back that the coordinator saw a commit completed: it is decided, and no more. */
  static void cutCompletedCommits(Path data) throws IOException {
    cut(data, "__transaction_state", BrokerFiles::isCompletedCommit);
  }

  private static void cut(Path data, String partitions, Predicate<FileChannelRecordBatch> first)
      throws IOException {
    try (Stream<Path> files = Files.walk(data, 2)) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        if (log.getParent().getFileName().toString().startsWith(partitions)) {
          cut(log, first);
        }
      }
    }
  }

  private static void cut(Path log, Predicate<FileChannelRecordBatch> first) throws IOException {
    try (FileRecords records = FileRecords.open(log.toFile())) {
      for (FileChannelRecordBatch batch : records.batches()) {
        if (first.test(batch)) {
          records.truncateTo(batch.position());
          return;
        }
      }
    }
  }

  private static boolean isCompletedCommit(FileChannelRecordBatch batch) {
    Record record = batch.iterator().next();
    return TransactionLog.read(record.key(), record.value()) instanceof TransactionLog.TxnRecord txn
        && txn.metadata().state() == TransactionState.COMPLETE_COMMIT;
  }
}

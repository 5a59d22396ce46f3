package io.weir.lab.chaos;

import io.weir.lab.oracle.Findings;
import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What all gateways wrote into their ledgers, by partition and by the bytes that were sent: some
 * 150 bytes a record. Not safe for several threads.
 */
final class LedgerIndex {
  /** A record's value by its MD5, which nobody here tries to forge. */
  record Print(long high, long low) {
    private static final Print NO_VALUE = new Print(0, 0);

    static Print of(byte[] value) {
      if (value == null) {
        return NO_VALUE;
      }
      try {
        ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(value));
        return new Print(digest.getLong(), digest.getLong());
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Entry {
    private long readings;
    private long acknowledged;
  }

  private record BatchName(String gateway, long bootId, int partition, long sequence) {}

  private final List<Map<Print, Entry>> partitions = new ArrayList<>();
  private long acknowledgedReadings;
  private long acknowledgedRecords;
  private long writtenRecords;

  LedgerIndex() {
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      partitions.add(new HashMap<>());
    }
  }

  /** Reads a gateway's ledger. */
  void read(String gateway, Path file) throws IOException {
    Map<BatchName, Entry> batches = new HashMap<>();
    Map<Long, Entry> raws = new HashMap<>();
    LedgerFile.read(
        file,
        entry -> {
          if (entry instanceof LedgerEntry.Batch written) {
            var batch = written.batch();
            batches.computeIfAbsent(
                new BatchName(gateway, batch.bootId(), batch.partition(), batch.sequence()),
                name -> add(batch.partition(), batch.value(), batch.readings()));
          } else if (entry instanceof LedgerEntry.Acknowledged batch) {
            // A batch that was sent again is acknowledged again: it counts once.
            acknowledge(
                batches.remove(
                    new BatchName(gateway, batch.bootId(), batch.partition(), batch.sequence())));
          } else if (entry instanceof LedgerEntry.Raw raw) {
            raws.put(raw.number(), add(raw.partition(), raw.value(), raw.readings()));
          } else if (entry instanceof LedgerEntry.RawAcknowledged raw) {
            acknowledge(raws.remove(raw.number()));
          }
        });
  }

  /** Enters a record that a collector sent, whose rows are the ledger. */
  void readCollected(int partition, byte[] value) {
    partitions.get(partition).computeIfAbsent(Print.of(value), print -> new Entry());
  }

  private Entry add(int partition, byte[] value, long readings) {
    writtenRecords++;
    Entry entry = partitions.get(partition).computeIfAbsent(Print.of(value), p -> new Entry());
    entry.readings = readings;
    return entry;
  }

  private void acknowledge(Entry entry) {
    if (entry != null) {
      entry.acknowledged++;
      acknowledgedRecords++;
      acknowledgedReadings += entry.readings;
    }
  }

  /**
   * Holds a partition of the readings topic against the ledgers: what was acknowledged is there,
   * and what is there was written.
   *
   * @param found how often each value is there
   * @param redriven those of them that a redrive says it sent
   */
  Findings check(int partition, Map<Print, Long> found, Set<Print> redriven) {
    Findings findings = new Findings();
    Map<Print, Entry> written = partitions.get(partition);
    written.forEach(
        (print, entry) -> {
          long missing = entry.acknowledged - found.getOrDefault(print, 0L);
          if (missing > 0) {
            findings.lost(
                missing * Math.max(1, entry.readings),
                "acknowledged, and not on partition " + partition);
          }
        });
    found.forEach(
        (print, count) -> {
          if (!written.containsKey(print) && !redriven.contains(print)) {
            findings.wrongRecord("on partition " + partition + ", and in no gateway's ledger");
          }
        });
    return findings;
  }

  /** Readings that the brokers acknowledged, each batch once. */
  long acknowledgedReadings() {
    return acknowledgedReadings;
  }

  /** Records that the brokers acknowledged, each batch once. */
  long acknowledgedRecords() {
    return acknowledgedRecords;
  }

  /** Records that were about to be sent. */
  long writtenRecords() {
    return writtenRecords;
  }
}

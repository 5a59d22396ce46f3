package io.weir.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a journal's segments of earlier starts. Not thread-safe; used once. */
final class JournalRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);

  private final String gatewayId;
  private final NavigableMap<Long, JournalSegment> segments;
  private final JournalMarks acknowledged;
  private final JournalMarks kept;
  private final JournalBacklog backlog;
  private final Optional<StoredBatches> stored;
  private long largestBootId;
  private long unacknowledgedReadings;
  private boolean damaged;

  /**
   * A recovery into the marks and the backlog.
   *
   * @param acknowledged is moved to the last acknowledged batches
   * @param kept is moved to the last stored batches
   * @param stored receives all stored batches
   */
  JournalRecovery(
      String gatewayId,
      NavigableMap<Long, JournalSegment> segments,
      JournalMarks acknowledged,
      JournalMarks kept,
      JournalBacklog backlog,
      Optional<StoredBatches> stored) {
    this.gatewayId = gatewayId;
    this.segments = segments;
    this.acknowledged = acknowledged;
    this.kept = kept;
    this.backlog = backlog;
    this.stored = stored;
  }

  /**
   * Reads all segments.
   *
   * @throws IOException if the disk fails or the segments belong to another gateway
   */
  void run() throws IOException {
    for (JournalSegment segment : segments.descendingMap().values()) {
      if (readAcknowledged(segment)) {
        break;
      }
    }
    largestBootId = acknowledged.largestBootId();
    for (JournalSegment segment : segments.values()) {
      read(segment);
    }
  }

  /** The largest stored boot id; 0 if there is none. */
  long largestBootId() {
    return largestBootId;
  }

  /** Number of stored, unacknowledged readings. */
  long unacknowledgedReadings() {
    return unacknowledgedReadings;
  }

  /** Whether stored batches are damaged. */
  boolean isDamaged() {
    return damaged;
  }

  /** Reads a segment's acknowledgements; true if its head repeats those of all earlier segments. */
  private boolean readAcknowledged(JournalSegment segment) throws IOException {
    boolean begun = false;
    try (JournalReader reader = JournalReader.open(segment.path(), 0)) {
      for (ByteBuffer payload = reader.next(); payload != null; payload = reader.next()) {
        byte kind = payload.get();
        if (kind == JournalRecords.BEGUN) {
          JournalRecords.readBegun(payload, acknowledged);
          begun = true;
        } else if (kind == JournalRecords.ACKNOWLEDGED) {
          acknowledged.take(payload);
        }
      }
    }
    return begun;
  }

  private void read(JournalSegment segment) throws IOException {
    try (JournalReader reader = JournalReader.open(segment.path(), 0)) {
      for (ByteBuffer payload = reader.next(); payload != null; payload = reader.next()) {
        byte kind = payload.get();
        if (kind == JournalRecords.BEGUN) {
          take(JournalRecords.readBegun(payload, new JournalMarks()), segment);
        } else if (JournalRecords.isBatch(kind)) {
          SequencedBatch batch = JournalRecords.readBatch(kind, payload);
          take(batch, segment, reader.recordOffset());
          stored.ifPresent(reading -> reading.read(batch));
        }
      }
      if (reader.damages() > 0) {
        damaged = true;
        LOG.error(
            "Gateway {}: {} has {} damaged ranges, which are skipped; their batches count as lost",
            gatewayId,
            segment.path(),
            reader.damages());
      }
    }
  }

  private void take(JournalRecords.Begun begun, JournalSegment segment) throws IOException {
    if (!begun.gatewayId().equals(gatewayId)) {
      throw new IOException(
          "%s has batches of gateway '%s', not of '%s'; use one directory per gateway"
              .formatted(segment.path().getParent(), begun.gatewayId(), gatewayId));
    }
    largestBootId = Math.max(largestBootId, begun.bootId());
  }

  private void take(SequencedBatch batch, JournalSegment segment, long offset) {
    largestBootId = Math.max(largestBootId, batch.bootId());
    segment.last().moveTo(batch);
    // A batch whose fsync failed is in the log twice.
    if (!acknowledged.covers(batch) && !kept.covers(batch)) {
      kept.moveTo(batch);
      unacknowledgedReadings += batch.readings();
      backlog.written(batch, segment.number(), offset);
      backlog.spill(batch);
    }
  }
}

package io.weir.edge;

import io.weir.reading.Limits;
import io.weir.reading.Reading;
import io.weir.wire.BatchColumns;
import io.weir.wire.BatchCompleteness;
import io.weir.wire.BatchEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Readings of one partition that will be one batch: taken, not yet counted by a sequence. Guarded
 * by its queue while it is open; the sender thread's alone afterwards.
 */
final class PendingBatch {
  /** What a record takes beside its value, the gateway id as its key included. */
  private static final int RECORD_OVERHEAD_BYTES = 1024;

  private static final int FIRST_ACKNOWLEDGEMENTS = 32;
  private static final Acknowledgement[] NONE = new Acknowledgement[0];

  private final BatchColumns columns = new BatchColumns();
  private final PendingCompleteness completeness = new PendingCompleteness();
  private final FoldIndex folds;
  private final int headerBytes;
  private final int maxBytes;
  private final int maxReadings;
  private Acknowledgement[] acknowledgements = NONE;
  private int acknowledgementCount;

  private int accepted;
  private long cost;
  private int mostBytes;
  private long firstAcceptedNanos;

  /**
   * An empty one.
   *
   * @param headerBytes most bytes of an encoded batch beside its readings
   * @param limits of a batch that the application takes
   */
  PendingBatch(Folding folding, int headerBytes, Limits limits) {
    this.folds = folding == Folding.OFF ? null : new FoldIndex();
    this.headerBytes = headerBytes;
    this.mostBytes = headerBytes;
    this.maxReadings = limits.maxBatchReadings();
    int maxBytes = Math.min(limits.maxRecordBytes(), Limits.DEFAULT.maxRecordBytes());
    this.maxBytes = maxBytes - RECORD_OVERHEAD_BYTES;
  }

  /**
   * Whether another reading keeps the encoded batch below the largest record allowed; a first one
   * always has room.
   */
  boolean hasRoomFor(int idBytes) {
    return isEmpty() || mostBytes + BatchEncoder.mostBytesOfReading(idBytes) <= maxBytes;
  }

  /** The same for an attestation. */
  boolean hasRoomToAttest(int idBytes) {
    return isEmpty() || mostBytes + BatchEncoder.mostBytesOfEntry(idBytes) <= maxBytes;
  }

  /** Adds a reading, or throws for want of memory and has changed nothing. */
  void add(Reading reading, long digest, Acknowledgement acknowledgement) {
    if (acknowledgement != null) {
      makeRoomForAcknowledgement();
    }
    addToColumns(reading, IdDigest.hash(digest), IdDigest.bytes(digest));
    if (acknowledgement != null) {
      acknowledgements[acknowledgementCount++] = acknowledgement;
    }
    accepted++;
    cost += QueueLimit.costOf(IdDigest.bytes(digest));
  }

  /** Whether something is attested of the sensor: more of it takes no room. */
  boolean attests(String sensorId) {
    return completeness.has(sensorId);
  }

  /**
   * Adds that the sensor is complete through that time.
   *
   * @param takes what it takes of the queue, where the batch attested nothing of the sensor
   */
  void attest(String sensorId, int idBytes, long throughMs, long takes) {
    if (!completeness.has(sensorId)) {
      mostBytes += BatchEncoder.mostBytesOfEntry(idBytes);
      cost += takes;
    }
    completeness.attest(sensorId, throughMs);
  }

  /** The sensor's readings are not in the order of time, or one of them is missing. */
  void notOrdered(String sensorId) {
    completeness.notOrdered(sensorId);
  }

  /** What the batch says about completeness. */
  BatchCompleteness completeness(boolean ordered) {
    return ordered
        ? completeness.attestedAndOrdered(columns, maxReadings - size(), maxBytes - mostBytes)
        : completeness.attested();
  }

  /** Sensors of which something is attested. */
  int attested() {
    return completeness.size();
  }

  void startedAt(long nowNanos) {
    firstAcceptedNanos = nowNanos;
  }

  long firstAcceptedNanos() {
    return firstAcceptedNanos;
  }

  boolean isEmpty() {
    return accepted == 0 && attested() == 0;
  }

  /** Readings to send: folded ones are one. */
  int size() {
    return columns.size();
  }

  /** Readings accepted, folded ones counted one by one. */
  int accepted() {
    return accepted;
  }

  /** What its readings and attestations take of the queue. */
  long cost() {
    return cost;
  }

  BatchColumns columns() {
    return columns;
  }

  List<Acknowledgement> acknowledgements() {
    return acknowledgementCount == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(acknowledgements).subList(0, acknowledgementCount));
  }

  /** Empties it for other readings; its room is kept. */
  void clear() {
    columns.clear();
    completeness.clear();
    if (folds != null) {
      folds.clear();
    }
    Arrays.fill(acknowledgements, 0, acknowledgementCount, null);
    acknowledgementCount = 0;
    accepted = 0;
    cost = 0;
    mostBytes = headerBytes;
  }

  private void addToColumns(Reading reading, int hash, int idBytes) {
    int same = folds == null ? -1 : find(reading, hash);
    if (same >= 0) {
      columns.replace(same, reading.value(), reading.quality());
      return;
    }
    columns.add(
        reading.sensorId(), hash, reading.timestampMs(), reading.value(), reading.quality());
    mostBytes += BatchEncoder.mostBytesOfReading(idBytes);
    if (folds != null) {
      folds.remember(columns.size() - 1, hash, reading.timestampMs());
    }
  }

  private int find(Reading reading, int hash) {
    return folds.find(columns, reading.sensorId(), hash, reading.timestampMs());
  }

  private void makeRoomForAcknowledgement() {
    if (acknowledgementCount == acknowledgements.length) {
      int capacity = Math.max(FIRST_ACKNOWLEDGEMENTS, 2 * acknowledgementCount);
      acknowledgements = Arrays.copyOf(acknowledgements, capacity);
    }
  }
}

package io.weir.edge;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A batch of one partition without a sequence. Guarded by its queue while it is open; afterwards
 * for the sender thread only.
 */
abstract class PendingBatch {
  /** Maximum size of a record besides its value, including the gateway id as its key. */
  private static final int RECORD_OVERHEAD_BYTES = 1024;

  private static final int FIRST_ACKNOWLEDGEMENTS = 32;
  private static final byte[] NO_NANOS = {};
  private static final Acknowledgement[] NONE = new Acknowledgement[0];

  private final PendingCompleteness completeness = new PendingCompleteness();
  private final int headerBytes;
  private final int maxBytes;
  private Acknowledgement[] acknowledgements = NONE;
  private int acknowledgementCount;

  private int accepted;
  private long cost;
  private int mostBytes;
  private long firstAcceptedNanos;

  /**
   * Creates an empty batch.
   *
   * @param headerBytes maximum size of an encoded batch besides its records
   * @param limits the application's limits of a batch
   */
  PendingBatch(int headerBytes, Limits limits) {
    this.headerBytes = headerBytes;
    this.mostBytes = headerBytes;
    int largest = Math.min(limits.maxRecordBytes(), Limits.DEFAULT.maxRecordBytes());
    this.maxBytes = largest - RECORD_OVERHEAD_BYTES;
  }

  /** Number of records to send, after folding. */
  abstract int size();

  /** The completeness that the batch attests. */
  abstract BatchCompleteness completeness(boolean ordered);

  /** Encodes the batch with that sequence. Has no side effects. */
  abstract byte[] encode(
      String gatewayId, long bootId, long sequence, BatchCompleteness saidOfCompleteness);

  /** The nanoseconds below the milliseconds of its readings, as the journal keeps them. */
  byte[] nanos() {
    return NO_NANOS;
  }

  /** Removes its records; keeps its buffers. */
  abstract void clearContent();

  /**
   * Whether the encoded batch stays below the maximum record size with this number of bytes more;
   * the first record always fits.
   */
  final boolean hasRoom(int bytes) {
    return isEmpty() || mostBytes + bytes <= maxBytes;
  }

  /** Number of bytes that may still be added. */
  final int bytesLeft() {
    return maxBytes - mostBytes;
  }

  /** Allocates memory, so that {@link #accepted(long, Acknowledgement)} cannot fail. */
  final void makeRoomFor(Acknowledgement acknowledgement) {
    makeRoomFor(acknowledgement == null ? 0 : 1);
  }

  /** The same for several acknowledgements of one record. */
  final void makeRoomFor(int more) {
    int needed = acknowledgementCount + more;
    if (needed > acknowledgements.length) {
      int capacity = Math.max(FIRST_ACKNOWLEDGEMENTS, 2 * acknowledgementCount);
      acknowledgements = Arrays.copyOf(acknowledgements, Math.max(needed, capacity));
    }
  }

  /**
   * A record was added.
   *
   * @param takes its cost in queue capacity
   */
  final void accepted(long takes, Acknowledgement acknowledgement) {
    if (acknowledgement != null) {
      acknowledgements[acknowledgementCount++] = acknowledgement;
    }
    accepted++;
    cost += takes;
  }

  /** A record with several acknowledgements was added. */
  final void accepted(long takes, List<Acknowledgement> each) {
    for (Acknowledgement acknowledgement : each) {
      acknowledgements[acknowledgementCount++] = acknowledgement;
    }
    accepted(takes, (Acknowledgement) null);
  }

  /** Increases the bound of the encoded size. */
  final void grows(int bytes) {
    mostBytes += bytes;
  }

  /** Whether the batch has an attestation of the sensor; a further one needs no capacity. */
  final boolean attests(String sensorId) {
    return completeness.has(sensorId);
  }

  /**
   * Adds that the sensor is complete through that time.
   *
   * @param takes its cost in queue capacity if it is the sensor's first attestation in the batch
   */
  final void attest(String sensorId, int idBytes, long throughMs, long takes) {
    if (!completeness.has(sensorId)) {
      mostBytes += BatchEncoder.mostBytesOfEntry(idBytes);
      cost += takes;
    }
    completeness.attest(sensorId, throughMs);
  }

  /** The sensor's readings are not in the order of time, or one of them is missing. */
  final void notOrdered(String sensorId) {
    completeness.notOrdered(sensorId);
  }

  /** The completeness attested so far. */
  final PendingCompleteness pendingCompleteness() {
    return completeness;
  }

  /** Number of sensors with an attestation. */
  final int attested() {
    return completeness.size();
  }

  final void startedAt(long nowNanos) {
    firstAcceptedNanos = nowNanos;
  }

  final long firstAcceptedNanos() {
    return firstAcceptedNanos;
  }

  final boolean isEmpty() {
    return accepted == 0 && attested() == 0;
  }

  /** Number of accepted records, counting folded ones individually. */
  final int accepted() {
    return accepted;
  }

  /** Its cost in queue capacity. */
  final long cost() {
    return cost;
  }

  final List<Acknowledgement> acknowledgements() {
    return acknowledgementCount == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(acknowledgements).subList(0, acknowledgementCount));
  }

  /** Empties the batch; keeps its buffers. */
  final void clear() {
    clearContent();
    completeness.clear();
    Arrays.fill(acknowledgements, 0, acknowledgementCount, null);
    acknowledgementCount = 0;
    accepted = 0;
    cost = 0;
    mostBytes = headerBytes;
  }

  /**
   * The completeness that a pending batch attests: the newest attested time per sensor, and the
   * sensors that are not ordered. Guarded by the lock of the batch.
   */
  static final class PendingCompleteness {
    private static final int MOST_BYTES_OF_CHAR = 3;

    private final Map<String, Long> throughMs = new LinkedHashMap<>();
    private final Set<String> notOrdered = new HashSet<>();

    boolean has(String sensorId) {
      return throughMs.containsKey(sensorId);
    }

    /** All earlier readings of the sensor were accepted. */
    void attest(String sensorId, long through) {
      throughMs.merge(sensorId, through, Math::max);
    }

    /** The batch must not attest that the sensor is complete through its newest reading. */
    void notOrdered(String sensorId) {
      notOrdered.add(sensorId);
    }

    /** Number of sensors with an attestation. */
    int size() {
      return throughMs.size();
    }

    /** The explicit attestations only. */
    BatchCompleteness attested() {
      return throughMs.isEmpty()
          ? BatchCompleteness.NONE
          : new BatchCompleteness(new LinkedHashMap<>(throughMs), false);
    }

    /**
     * The explicit attestations, and that the batch's sensors are ordered. If a sensor is not
     * ordered, each other sensor gets an entry, if the entries fit.
     *
     * @param mostEntries maximum number of entries of the batch
     * @param mostBytes maximum number of bytes to add to it
     */
    BatchCompleteness attestedAndOrdered(BatchColumns columns, int mostEntries, int mostBytes) {
      Map<String, Long> all = new LinkedHashMap<>(throughMs);
      if (notOrdered.isEmpty()) {
        return new BatchCompleteness(all, columns.size() > 0);
      }
      int bytes = 0;
      for (int i = 0; i < columns.size(); i++) {
        String id = columns.sensorId(i);
        if (!notOrdered.contains(id)) {
          if (!all.containsKey(id)) {
            bytes += BatchEncoder.mostBytesOfEntry(MOST_BYTES_OF_CHAR * id.length());
          }
          all.merge(id, columns.timestampMs(i), Math::max);
        }
      }
      return all.size() <= mostEntries && bytes <= mostBytes
          ? new BatchCompleteness(all, false)
          : attested();
    }

    void clear() {
      throughMs.clear();
      notOrdered.clear();
    }
  }
}

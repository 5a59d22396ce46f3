package io.weir.edge;

import io.weir.reading.Limits;
import io.weir.wire.BatchCompleteness;
import io.weir.wire.BatchEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What of one partition will be one batch: taken, not yet counted by a sequence. Guarded by its
 * queue while it is open; the sender thread's alone afterwards.
 */
abstract class PendingBatch {
  /** What a record takes beside its value, the gateway id as its key included. */
  private static final int RECORD_OVERHEAD_BYTES = 1024;

  private static final int FIRST_ACKNOWLEDGEMENTS = 32;
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
   * An empty one.
   *
   * @param headerBytes most bytes of an encoded batch beside what is added
   * @param limits of a batch that the application takes
   */
  PendingBatch(int headerBytes, Limits limits) {
    this.headerBytes = headerBytes;
    this.mostBytes = headerBytes;
    int largest = Math.min(limits.maxRecordBytes(), Limits.DEFAULT.maxRecordBytes());
    this.maxBytes = largest - RECORD_OVERHEAD_BYTES;
  }

  /** What is sent: folded ones are one. */
  abstract int size();

  /** What the batch says about completeness. */
  abstract BatchCompleteness completeness(boolean ordered);

  /** The bytes of the batch under that sequence. Changes nothing. */
  abstract byte[] encode(
      String gatewayId, long bootId, long sequence, BatchCompleteness saidOfCompleteness);

  /** Empties it of what was added; its room is kept. */
  abstract void clearContent();

  /**
   * Whether so many bytes more keep the encoded batch below the largest record allowed; what comes
   * first always has room.
   */
  final boolean hasRoom(int bytes) {
    return isEmpty() || mostBytes + bytes <= maxBytes;
  }

  /** How many bytes may be added at the most. */
  final int bytesLeft() {
    return maxBytes - mostBytes;
  }

  /** Makes sure that {@link #accepted(long, Acknowledgement)} does not fail, or throws. */
  final void makeRoomFor(Acknowledgement acknowledgement) {
    if (acknowledgement != null && acknowledgementCount == acknowledgements.length) {
      int capacity = Math.max(FIRST_ACKNOWLEDGEMENTS, 2 * acknowledgementCount);
      acknowledgements = Arrays.copyOf(acknowledgements, capacity);
    }
  }

  /**
   * Something was added.
   *
   * @param takes what it takes of the queue
   */
  final void accepted(long takes, Acknowledgement acknowledgement) {
    if (acknowledgement != null) {
      acknowledgements[acknowledgementCount++] = acknowledgement;
    }
    accepted++;
    cost += takes;
  }

  /** The encoded batch has so many bytes more, at the most. */
  final void grows(int bytes) {
    mostBytes += bytes;
  }

  /** Whether something is attested of the sensor: more of it takes no room. */
  final boolean attests(String sensorId) {
    return completeness.has(sensorId);
  }

  /**
   * Adds that the sensor is complete through that time.
   *
   * @param takes what it takes of the queue, where the batch attested nothing of the sensor
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

  /** What it will say about the completeness of sensors. */
  final PendingCompleteness pendingCompleteness() {
    return completeness;
  }

  /** Sensors of which something is attested. */
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

  /** What was accepted, folded ones counted one by one. */
  final int accepted() {
    return accepted;
  }

  /** What it takes of the queue. */
  final long cost() {
    return cost;
  }

  final List<Acknowledgement> acknowledgements() {
    return acknowledgementCount == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(acknowledgements).subList(0, acknowledgementCount));
  }

  /** Empties it; its room is kept. */
  final void clear() {
    clearContent();
    completeness.clear();
    Arrays.fill(acknowledgements, 0, acknowledgementCount, null);
    acknowledgementCount = 0;
    accepted = 0;
    cost = 0;
    mostBytes = headerBytes;
  }
}

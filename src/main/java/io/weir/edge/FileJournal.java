package io.weir.edge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Keeps a publisher's batches on disk until the brokers have them: a log in segments, each record
 * with its length and CRC-32C ({@link JournalRecords}), one sync for all batches of a tick. A start
 * has a boot id above all before it, which is on disk before this is open. A segment goes when the
 * brokers have all of it. A torn end is cut; a damaged record is named and skipped.
 *
 * <p>What the brokers acknowledged is noted now and then and not synced: after a crash some batches
 * go out once more, with their sequences. For one thread, except {@link #unacknowledgedReadings}.
 */
final class FileJournal implements BatchJournal, AutoCloseable {
  private static final long SEGMENT_BYTES = 8 * 1024 * 1024;

  private final JournalDirectory directory;
  private final String gatewayId;
  private final long maxBytes;
  private final NavigableMap<Long, JournalSegment> segments = new TreeMap<>();
  private final JournalMarks acknowledged = new JournalMarks();
  private final JournalBacklog backlog;
  private final JournalMarks kept = new JournalMarks();
  private long bootId;
  private boolean damaged;
  private JournalSegment active;
  private long nextNumber = 1;
  private boolean acknowledgedSinceNote;
  private volatile long unacknowledgedReadings;

  private FileJournal(JournalDirectory directory, String gatewayId, long maxBytes) {
    this.directory = directory;
    this.gatewayId = gatewayId;
    this.maxBytes = maxBytes;
    this.backlog = new JournalBacklog(segments, acknowledged);
  }

  /**
   * Opens the journal in a directory, which is made where it is absent, for a new start.
   *
   * @throws IOException where the disk fails, another process has it open, or it is of another
   *     gateway
   */
  static FileJournal open(
      Path directory, String gatewayId, long maxBytes, long wallClockMs, long random)
      throws IOException {
    FileJournal journal = new FileJournal(JournalDirectory.open(directory), gatewayId, maxBytes);
    try {
      journal.begin(BootId.of(wallClockMs, random));
      return journal;
    } catch (IOException | RuntimeException e) {
      journal.release();
      throw e;
    }
  }

  private void begin(long bootIdOfClock) throws IOException {
    segments.putAll(directory.segments());
    nextNumber = segments.isEmpty() ? 1 : segments.lastKey() + 1;
    JournalRecovery recovery =
        new JournalRecovery(gatewayId, segments, acknowledged, kept, backlog);
    recovery.run();
    unacknowledgedReadings = recovery.unacknowledgedReadings();
    damaged = recovery.isDamaged();
    bootId = Math.max(bootIdOfClock, recovery.largestBootId() + 1);
    roll();
  }

  long bootId() {
    return bootId;
  }

  /** Whether batches of earlier starts were found damaged and are lost. */
  boolean isDamaged() {
    return damaged;
  }

  /** What is on disk only, to be read again when there is room for it. */
  JournalBacklog backlog() {
    return backlog;
  }

  /** Readings that are kept and not acknowledged. For any thread. */
  long unacknowledgedReadings() {
    return unacknowledgedReadings;
  }

  /** Whether it has as many bytes as it may. */
  boolean isFull() {
    return bytes() >= maxBytes;
  }

  @Override
  public void beforeFirstSend(List<SequencedBatch> batches) throws IOException {
    backlog.beginWrite();
    try {
      for (SequencedBatch batch : batches) {
        append(batch);
      }
      active.sync();
    } catch (IOException e) {
      // What a failed write or sync left is unknown: the same batches go to a new segment.
      abandonActive();
      throw e;
    }
    for (SequencedBatch batch : batches) {
      kept.moveTo(batch);
      unacknowledgedReadings += batch.readings();
    }
  }

  @Override
  public void acknowledged(SequencedBatch batch) {
    acknowledged.moveTo(batch);
    acknowledgedSinceNote = true;
    unacknowledgedReadings -= batch.readings();
  }

  /** Whether nothing is to be noted. */
  boolean isTidy() {
    return !acknowledgedSinceNote;
  }

  /** Notes what was acknowledged, and deletes what is acknowledged whole. */
  void tidy() throws IOException {
    if (!acknowledgedSinceNote) {
      return;
    }
    acknowledgedSinceNote = false;
    try {
      if (active == null) {
        roll();
      }
      active.append(JournalRecords.acknowledged(acknowledged));
    } catch (IOException e) {
      abandonActive();
      throw e;
    }
    List<JournalSegment> done = new ArrayList<>();
    for (JournalSegment segment : segments.values()) {
      if (segment != active && acknowledged.coversAll(segment.last())) {
        done.add(segment);
      }
    }
    for (JournalSegment segment : done) {
      backlog.leave(segment);
      segment.delete();
      segments.remove(segment.number());
    }
  }

  /** Deletes the oldest segment; what of it is on disk alone is lost, and returned. */
  List<SequencedBatch> dropOldest() throws IOException {
    JournalSegment oldest = segments.firstEntry().getValue();
    if (oldest == active) {
      roll();
    }
    List<SequencedBatch> dropped = backlog.dropAllOf(oldest);
    segments.remove(oldest.number());
    oldest.delete();
    for (SequencedBatch batch : dropped) {
      acknowledged(batch);
    }
    return dropped;
  }

  /** Notes what was acknowledged, and releases the directory. */
  @Override
  public void close() throws IOException {
    try {
      tidy();
      if (active != null) {
        active.sync();
      }
    } finally {
      release();
    }
  }

  /** Releases the directory as a killed process does. */
  void release() throws IOException {
    for (JournalSegment segment : segments.values()) {
      segment.close();
    }
    directory.close();
  }

  private void append(SequencedBatch batch) throws IOException {
    if (active == null || active.bytes() >= Math.min(SEGMENT_BYTES, maxBytes / 8)) {
      roll();
    }
    long offset = active.append(JournalRecords.batch(batch));
    active.last().moveTo(batch);
    backlog.written(batch, active.number(), offset);
  }

  /** Begins a new segment, whose head has all that older ones need not be kept for. */
  private void roll() throws IOException {
    if (active != null) {
      active.sync();
      active.close();
      active = null;
    }
    JournalSegment next = JournalSegment.create(directory.path(), nextNumber++);
    try {
      next.append(JournalRecords.begun(gatewayId, bootId, acknowledged));
      next.sync();
      directory.sync();
    } catch (IOException e) {
      next.delete();
      throw e;
    }
    segments.put(next.number(), next);
    active = next;
  }

  private void abandonActive() throws IOException {
    if (active != null) {
      active.close();
      active = null;
    }
  }

  private long bytes() {
    long bytes = 0;
    for (JournalSegment segment : segments.values()) {
      bytes += segment.bytes();
    }
    return bytes;
  }
}

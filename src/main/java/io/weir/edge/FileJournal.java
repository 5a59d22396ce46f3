package io.weir.edge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
  private static final long SEGMENT_BYTES = 8 * 1024 * 1024;
  private static final String LOCK = "lock";

  private final Path directory;
  private final String gatewayId;
  private final long maxBytes;
  private final FileChannel lock;
  private final NavigableMap<Long, JournalSegment> segments = new TreeMap<>();
  private final JournalMarks acknowledged = new JournalMarks();
  private final JournalBacklog backlog;
  private final JournalMarks kept = new JournalMarks();
  private long bootId;
  private JournalSegment active;
  private long nextNumber = 1;
  private boolean acknowledgedSinceNote;
  private volatile long unacknowledgedReadings;

  private FileJournal(Path directory, String gatewayId, long maxBytes, FileChannel lock) {
    this.directory = directory;
    this.gatewayId = gatewayId;
    this.maxBytes = maxBytes;
    this.lock = lock;
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
    Files.createDirectories(directory);
    FileJournal journal = new FileJournal(directory, gatewayId, maxBytes, locked(directory));
    try {
      long keptBootId = journal.recover();
      long ofClock = BootId.of(wallClockMs, random);
      journal.bootId = Math.max(ofClock, keptBootId + 1);
      journal.roll();
      syncDirectory(directory);
      return journal;
    } catch (IOException | RuntimeException e) {
      journal.release();
      throw e;
    }
  }

  long bootId() {
    return bootId;
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

  /** Notes what was acknowledged, and lets go of the directory. */
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

  /** Lets go of the directory as a killed process does. */
  void release() throws IOException {
    for (JournalSegment segment : segments.values()) {
      segment.close();
    }
    lock.close();
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
    JournalSegment next = JournalSegment.create(directory, nextNumber++);
    try {
      next.append(JournalRecords.begun(gatewayId, bootId, acknowledged));
      next.sync();
      syncDirectory(directory);
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

  /** Finds what earlier starts left; returns the largest boot id that was ever kept. */
  private long recover() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        OptionalLong number = JournalSegment.numberOf(file);
        if (number.isPresent()) {
          segments.put(number.getAsLong(), JournalSegment.existing(directory, number.getAsLong()));
          nextNumber = Math.max(nextNumber, number.getAsLong() + 1);
        }
      }
    }
    for (JournalSegment segment : segments.descendingMap().values()) {
      if (readAcknowledged(segment)) {
        break;
      }
    }
    long largest = Math.max(acknowledged.largestBootId(), 0);
    for (JournalSegment segment : segments.values()) {
      largest = Math.max(largest, recover(segment));
    }
    return largest;
  }

  /** Takes a segment's acknowledgements; true where its head has those of all before it. */
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

  private long recover(JournalSegment segment) throws IOException {
    long largest = 0;
    try (JournalReader reader = JournalReader.open(segment.path(), 0)) {
      for (ByteBuffer payload = reader.next(); payload != null; payload = reader.next()) {
        byte kind = payload.get();
        if (kind == JournalRecords.BEGUN) {
          JournalRecords.Begun begun = JournalRecords.readBegun(payload, new JournalMarks());
          requireOwn(begun.gatewayId());
          largest = Math.max(largest, begun.bootId());
        } else if (kind == JournalRecords.BATCH) {
          SequencedBatch batch = JournalRecords.readBatch(payload);
          largest = Math.max(largest, batch.bootId());
          segment.last().moveTo(batch);
          // A batch whose sync failed stands in the log twice.
          if (!acknowledged.covers(batch) && !kept.covers(batch)) {
            kept.moveTo(batch);
            unacknowledgedReadings += batch.readings();
            backlog.written(batch, segment.number(), reader.recordOffset());
            backlog.spill(batch);
          }
        }
      }
      if (reader.damages() > 0) {
        LOG.error(
            "Gateway {}: {} has {} damaged places, which are skipped; their batches count as lost",
            gatewayId,
            segment.path(),
            reader.damages());
      }
    }
    return largest;
  }

  private void requireOwn(String kept) throws IOException {
    if (!kept.equals(gatewayId)) {
      throw new IOException(
          "%s keeps batches of gateway '%s', not of '%s'; each gateway needs a directory of its own"
              .formatted(directory, kept, gatewayId));
    }
  }

  private static FileChannel locked(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      LOG.debug("locked by this process", e);
    }
    if (lock == null) {
      channel.close();
      throw new IOException(directory + " is used by another publisher; each needs its own");
    }
    return channel;
  }

  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}

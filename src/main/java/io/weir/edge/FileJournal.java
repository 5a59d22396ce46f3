package io.weir.edge;

import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.BatchNanos;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.reading.Quality;
import io.weir.reading.ReadingColumns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores a publisher's batches on disk until the brokers acknowledge them: a segmented log of
 * records with length and CRC-32C ({@link JournalRecords}) and one fsync for all batches of a tick.
 * Each start writes a boot id above all earlier ones to disk before the journal is open. A segment
 * is deleted once all its batches are acknowledged. A torn end is truncated; a damaged record is
 * logged and skipped.
 *
 * <p>Acknowledgements are recorded periodically, without fsync: after a crash some batches are sent
 * again, with the same sequences. Not thread-safe, except {@link #unacknowledgedReadings}.
 */
final class FileJournal implements BatchJournal, AutoCloseable {
  private static final long SEGMENT_BYTES = 8 * 1024 * 1024;

  private final JournalDirectory directory;
  private final String gatewayId;
  private final long maxBytes;
  private final StoredReadings storedReadings;
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

  private FileJournal(
      JournalDirectory directory, String gatewayId, long maxBytes, StoredReadings storedReadings) {
    this.directory = directory;
    this.gatewayId = gatewayId;
    this.maxBytes = maxBytes;
    this.storedReadings = storedReadings;
    this.backlog = new JournalBacklog(segments, acknowledged);
  }

  /**
   * Opens the journal in a directory for a new start; creates the directory if it is absent.
   *
   * @throws IOException if the disk fails, another process has it open, or it belongs to another
   *     gateway
   */
  static FileJournal open(
      Path directory, String gatewayId, long maxBytes, long wallClockMs, long random)
      throws IOException {
    return open(directory, gatewayId, maxBytes, wallClockMs, random, StoredReadings.NONE);
  }

  /** The same, and passes the readings of earlier starts on. */
  static FileJournal open(
      Path directory,
      String gatewayId,
      long maxBytes,
      long wallClockMs,
      long random,
      StoredReadings storedReadings)
      throws IOException {
    FileJournal journal =
        new FileJournal(JournalDirectory.open(directory), gatewayId, maxBytes, storedReadings);
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
        new JournalRecovery(
            gatewayId,
            segments,
            acknowledged,
            kept,
            backlog,
            Optional.ofNullable(storedReadings.listener()).map(StoredBatches::new));
    recovery.run();
    unacknowledgedReadings = recovery.unacknowledgedReadings();
    damaged = recovery.isDamaged();
    bootId = Math.max(bootIdOfClock, recovery.largestBootId() + 1);
    roll();
  }

  long bootId() {
    return bootId;
  }

  /** Whether damaged batches of earlier starts were lost. */
  boolean isDamaged() {
    return damaged;
  }

  /** The batches that are on disk only, to be read when memory is free. */
  JournalBacklog backlog() {
    return backlog;
  }

  /** Number of stored, unacknowledged readings. Thread-safe. */
  long unacknowledgedReadings() {
    return unacknowledgedReadings;
  }

  /** Whether its size limit is reached. */
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
      // The file's content after a failed write or fsync is unknown: write the batches to a new
      // segment.
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

  /** Whether there are no unrecorded acknowledgements. */
  boolean isTidy() {
    return !acknowledgedSinceNote;
  }

  /** Records acknowledgements and deletes fully acknowledged segments. */
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
    for (JournalSegment segment : acknowledgedSegments()) {
      if (bytesAfter(segment) >= storedReadings.acknowledgedBytes()) {
        delete(segment);
      }
    }
  }

  /** Deletes acknowledged segments, oldest first, while the size limit is reached. */
  void dropAcknowledged() throws IOException {
    for (JournalSegment segment : acknowledgedSegments()) {
      if (isFull()) {
        delete(segment);
      }
    }
  }

  private List<JournalSegment> acknowledgedSegments() {
    List<JournalSegment> done = new ArrayList<>();
    for (JournalSegment segment : segments.values()) {
      if (segment != active && acknowledged.coversAll(segment.last())) {
        done.add(segment);
      }
    }
    return done;
  }

  private void delete(JournalSegment segment) throws IOException {
    backlog.leave(segment);
    segment.delete();
    segments.remove(segment.number());
  }

  /** Deletes the oldest segment; returns its batches that are not in memory, which are lost. */
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

  /** Records acknowledgements and releases the directory. */
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

  /** Releases the directory without further writes, as a killed process does. */
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

  /**
   * Begins a new segment; its first record repeats all acknowledgements, so that older segments can
   * be deleted.
   */
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
    return bytesOf(segments);
  }

  private long bytesAfter(JournalSegment segment) {
    return bytesOf(segments.tailMap(segment.number(), false));
  }

  private static long bytesOf(Map<Long, JournalSegment> segments) {
    long bytes = 0;
    for (JournalSegment segment : segments.values()) {
      bytes += segment.bytes();
    }
    return bytes;
  }

  /** The directory of a journal, locked for this publisher until it is closed. */
  static final class JournalDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalDirectory.class);
    private static final String LOCK = "lock";

    private final Path path;
    private final FileChannel lock;

    private JournalDirectory(Path path, FileChannel lock) {
      this.path = path;
      this.lock = lock;
    }

    /**
     * Locks the directory; creates it if it is absent.
     *
     * @throws IOException if another publisher has locked it
     */
    static JournalDirectory open(Path path) throws IOException {
      Files.createDirectories(path);
      FileChannel channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = null;
      try {
        lock = channel.tryLock();
      } catch (OverlappingFileLockException e) {
        LOG.debug("locked by this process", e);
      }
      if (lock == null) {
        channel.close();
        throw new IOException(
            path + " is used by another publisher; use one directory per " + "publisher");
      }
      return new JournalDirectory(path, channel);
    }

    Path path() {
      return path;
    }

    /** The existing segments by number. */
    NavigableMap<Long, JournalSegment> segments() throws IOException {
      NavigableMap<Long, JournalSegment> segments = new TreeMap<>();
      try (Stream<Path> files = Files.list(path)) {
        for (Path file : files.toList()) {
          OptionalLong number = JournalSegment.numberOf(file);
          if (number.isPresent()) {
            segments.put(number.getAsLong(), JournalSegment.existing(path, number.getAsLong()));
          }
        }
      }
      return segments;
    }

    /** Makes created and deleted files durable. */
    void sync() throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }

    @Override
    public void close() throws IOException {
      lock.close();
    }
  }

  /** Reads a journal's segments of earlier starts. Not thread-safe; used once. */
  static final class JournalRecovery {
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

    /**
     * Reads a segment's acknowledgements; true if its head repeats those of all earlier segments.
     */
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

  /**
   * Passes the readings of stored batches to a {@link StoredReadings.Listener}. Not thread-safe.
   */
  static final class StoredBatches {
    private static final Logger LOG = LoggerFactory.getLogger(StoredBatches.class);
    private static final Limits ANY =
        new Limits(JournalRecords.MAX_PAYLOAD_BYTES, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final StoredReadings.Listener listener;
    private final BatchDecoder decoder = new BatchDecoder(ANY);

    StoredBatches(StoredReadings.Listener listener) {
      this.listener = listener;
    }

    void read(SequencedBatch batch) {
      try {
        ReadingColumns columns = decoder.decode(batch.value());
        int[] nanos = BatchNanos.decode(batch.nanos(), columns.readings());
        for (int run = 0; run < columns.runs(); run++) {
          read(columns, run, nanos);
        }
      } catch (UndecodableException | IOException e) {
        LOG.warn("a stored batch cannot be decoded; its readings may be accepted again", e);
      }
    }

    private void read(ReadingColumns columns, int run, int[] nanos) {
      String id =
          new String(
              columns.bytes(),
              columns.idOffset(run),
              columns.idLength(run),
              StandardCharsets.UTF_8);
      for (int i = columns.runStart(run); i < columns.runEnd(run); i++) {
        listener.stored(
            id,
            columns.timestampMs(i),
            nanos[i],
            columns.value(i),
            Quality.ofNumber(columns.quality(i)));
      }
    }
  }
}

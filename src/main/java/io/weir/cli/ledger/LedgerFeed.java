package io.weir.cli.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.edge.CloseReport;
import io.weir.edge.Offer;
import io.weir.edge.Overflow;
import io.weir.edge.PublisherSettings;
import io.weir.edge.PublisherState;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.Publishers;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.text.TextLine;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Sends files so that every reading counts once, even after repeated or killed runs.
 *
 * <p>A file is sent in chunks, each with its own boot id. Before a chunk is sent, the ledger stores
 * its boot id and a digest of its readings; after its acknowledgement, the acknowledged part of the
 * file. A run that finds a chunk in flight sends it again with the same boot id: batches depend
 * only on their readings, not on time, so they get the same sequences, and Weir drops known ones.
 * One thread.
 */
public final class LedgerFeed implements AutoCloseable {
  /** Small enough that Weir stores the sequences of all batches of a chunk. */
  static final int CHUNK_READINGS = 100_000;

  /** Readings of a full batch: constant, so that a repeated chunk has the same batches. */
  public static final int BATCH_READINGS = 1_000;

  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(30);
  private static final Duration CLOSE = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 1_000_000;

  private final Ledger ledger;
  private final String gatewayId;
  private final PublisherSource publishers;
  private final BooleanSupplier stopped;
  private final int chunkReadings;
  private long acknowledged;
  private long sentBefore;

  /** The source of a publisher's settings. */
  @FunctionalInterface
  public interface PublisherSource {
    /**
     * A builder with the settings of a publisher.
     *
     * @param gatewayId gateway id of the ledger
     */
    PublisherSettings.Builder settings(String gatewayId);
  }

  private LedgerFeed(
      Ledger ledger,
      String gatewayId,
      PublisherSource publishers,
      BooleanSupplier stopped,
      int chunkReadings) {
    this.ledger = ledger;
    this.gatewayId = gatewayId;
    this.publishers = publishers;
    this.stopped = stopped;
    this.chunkReadings = chunkReadings;
  }

  /**
   * Opens a ledger, or begins one.
   *
   * @param wantedId the gateway id, if the user sets one
   * @param newId the id of a new ledger without a given one
   * @throws StartRefusedException if the ledger is in use, or belongs to another gateway
   */
  public static LedgerFeed open(
      Path path,
      Optional<String> wantedId,
      String newId,
      PublisherSource publishers,
      BooleanSupplier stopped)
      throws IOException {
    return open(path, wantedId, newId, publishers, stopped, CHUNK_READINGS);
  }

  static LedgerFeed open(
      Path path,
      Optional<String> wantedId,
      String newId,
      PublisherSource publishers,
      BooleanSupplier stopped,
      int chunkReadings)
      throws IOException {
    Ledger ledger = Ledger.open(path);
    String id = ledger.gatewayId().or(() -> wantedId).orElse(newId);
    if (wantedId.isPresent() && !wantedId.get().equals(id)) {
      ledger.close();
      throw new StartRefusedException(
          "--ledger " + path + " belongs to gateway '" + id + "', not '" + wantedId.get() + "'");
    }
    return new LedgerFeed(ledger, id, publishers, stopped, chunkReadings);
  }

  /** The gateway id of the ledger. */
  public String gatewayId() {
    return gatewayId;
  }

  /** The file that an interrupted run was sending: it must be sent first. */
  public Optional<String> brokenOff() {
    return ledger.underWay().map(Ledger.Chunk::file);
  }

  /** Readings that the brokers acknowledged in this run. */
  public long acknowledged() {
    return acknowledged;
  }

  /** Readings of the files that earlier runs have sent. */
  public long sentBefore() {
    return sentBefore;
  }

  /**
   * Sends the unsent part of a file.
   *
   * @param file its constant name in the ledger
   * @return whether all of it is acknowledged; if not, the next run continues
   * @throws StartRefusedException if the file does not begin with its sent part
   */
  public boolean send(String file, ReadingTextReader reader, Optional<RejectsWriter> rejects)
      throws IOException {
    SentReadings sent = new SentReadings();
    SentReadings.Mark known = ledger.acknowledged(file);
    skip(file, known, sent, reader, rejects);
    Optional<Ledger.Chunk> broken = ledger.underWay().filter(chunk -> chunk.file().equals(file));
    sentBefore += known.count();
    while (true) {
      long most =
          broken.map(chunk -> chunk.after().count() - known.count()).orElse((long) chunkReadings);
      List<Reading> readings = read(most, sent, reader, rejects);
      if (broken.isPresent() && !sent.mark().equals(broken.get().after())) {
        throw new StartRefusedException(changed(file, broken.get().after().count()));
      }
      if (readings.isEmpty()) {
        return true;
      }
      requireNoOtherUnderWay(file);
      if (stopped.getAsBoolean() || !send(file, sent.mark(), readings, broken)) {
        return false;
      }
      acknowledged += readings.size();
      broken = Optional.empty();
    }
  }

  /** A repeated chunk would be refused after later ones, because its boot id is older. */
  private void requireNoOtherUnderWay(String file) {
    ledger
        .underWay()
        .filter(chunk -> !chunk.file().equals(file))
        .ifPresent(
            chunk -> {
              throw new StartRefusedException(
                  "a run was interrupted while it sent " + chunk.file() + "; send that file first");
            });
  }

  private void skip(
      String file,
      SentReadings.Mark known,
      SentReadings sent,
      ReadingTextReader reader,
      Optional<RejectsWriter> rejects)
      throws IOException {
    while (sent.count() < known.count()) {
      long most = Math.min(chunkReadings, known.count() - sent.count());
      if (read(most, sent, reader, rejects).isEmpty()) {
        break;
      }
    }
    if (!sent.mark().equals(known)) {
      throw new StartRefusedException(changed(file, known.count()));
    }
  }

  private static String changed(String file, long count) {
    return String.format(
        Locale.ROOT,
        "%s: its first %,d readings differ from those that were sent under this name; nothing was sent."
            + " Use the options of that run, or give a changed file another name",
        file,
        count);
  }

  private static List<Reading> read(
      long most, SentReadings sent, ReadingTextReader reader, Optional<RejectsWriter> rejects)
      throws IOException {
    List<Reading> readings = new ArrayList<>();
    while (readings.size() < most) {
      TextLine line = reader.next();
      if (line == null) {
        break;
      }
      if (line instanceof TextLine.Good good) {
        readings.add(good.reading());
        sent.add(good.reading());
      } else if (line instanceof TextLine.Bad bad && rejects.isPresent()) {
        rejects.get().write(bad);
      }
    }
    return readings;
  }

  /** Whether all of the chunk is acknowledged. */
  private boolean send(
      String file, SentReadings.Mark after, List<Reading> readings, Optional<Ledger.Chunk> broken)
      throws IOException {
    try (ReadingPublisher publisher = ReadingPublisher.start(settings(broken))) {
      Ledger.Chunk chunk = new Ledger.Chunk(file, after, publisher.bootId());
      ledger.begin(gatewayId, chunk);
      if (!offer(readings, publisher)) {
        publisher.close(Duration.ZERO);
        return false;
      }
      CompletableFuture<Void> all = publisher.flushAsync();
      while (!stopped.getAsBoolean() && !all.isDone()) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      CloseReport report = publisher.close(CLOSE);
      if (report.complete()) {
        ledger.end(chunk);
      }
      return report.complete();
    }
  }

  @SuppressWarnings("deprecation") // The state at the start of a chunk: no later state exists.
  private PublisherSettings settings(Optional<Ledger.Chunk> broken) {
    PublisherSettings.Builder settings =
        publishers
            .settings(gatewayId)
            .overflow(Overflow.SUSPEND)
            .batchMaxReadings(BATCH_READINGS)
            .flushInterval(NEVER)
            .queueCapacity(2L * Math.max(chunkReadings, BATCH_READINGS));
    if (broken.isPresent()) {
      settings.resumeFrom(state(broken.get().bootId()));
    } else {
      ledger.bootId().ifPresent(bootId -> settings.startAfter(state(bootId)));
    }
    return Publishers.build(settings);
  }

  private PublisherState state(long bootId) {
    List<Long> noneYet = Collections.nCopies(SensorPartition.COUNT, 0L);
    return new PublisherState(gatewayId, bootId, noneYet, List.of());
  }

  /** Whether all were accepted before a timeout would end batches. */
  private boolean offer(List<Reading> readings, ReadingPublisher publisher) {
    long endNanos = System.nanoTime() + LONGEST_WAIT.toNanos();
    for (Reading reading : readings) {
      Offer offer = publisher.offer(reading);
      while (offer == Offer.SUSPENDED) {
        if (stopped.getAsBoolean() || System.nanoTime() - endNanos > 0) {
          return false;
        }
        LockSupport.parkNanos(LOOK_NANOS);
        offer = publisher.offer(reading);
      }
      if (offer != Offer.ACCEPTED) {
        throw new IllegalStateException(
            "the publisher refused a reading that the text reader accepted");
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    ledger.close();
  }

  /**
   * A record on disk of the sent parts of files: a properties file that is replaced atomically, and
   * a lock file. It has the gateway id, the boot id of the last chunk, the acknowledged readings of
   * each file, and the chunk in flight, if any.
   */
  static final class Ledger implements AutoCloseable {
    private static final String FORMAT = "weir.ledger";
    private static final String FORMAT_1 = "1";
    private static final String GATEWAY_ID = "gateway.id";
    private static final String BOOT_ID = "boot.id";
    private static final String UNDER_WAY = "under-way.file";
    private static final String FILE = "file.";

    private final Path path;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final Properties entries = new Properties();

    /** A chunk in flight, with an unknown result. */
    record Chunk(String file, SentReadings.Mark after, long bootId) {}

    private Ledger(Path path, FileChannel lockFile, FileLock lock) {
      this.path = path;
      this.lockFile = lockFile;
      this.lock = lock;
    }

    /**
     * Opens a ledger, or creates one.
     *
     * @throws StartRefusedException if another process uses it, or the file is not a ledger
     */
    static Ledger open(Path path) throws IOException {
      Path lockPath = path.resolveSibling(path.getFileName() + ".lock");
      FileChannel channel =
          FileChannel.open(lockPath, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = tryLock(channel);
        if (lock == null) {
          throw new StartRefusedException(
              "--ledger " + path + ": another process uses this ledger; wait for its end");
        }
        Ledger ledger = new Ledger(path, channel, lock);
        ledger.load();
        return ledger;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
      try {
        return channel.tryLock();
      } catch (OverlappingFileLockException e) {
        return null; // This process has the lock.
      }
    }

    private void load() throws IOException {
      if (!Files.exists(path)) {
        return;
      }
      try (InputStreamReader in =
          new InputStreamReader(new ByteArrayInputStream(Files.readAllBytes(path)), UTF_8)) {
        entries.load(in);
      } catch (IllegalArgumentException e) {
        entries.clear();
      }
      if (!FORMAT_1.equals(entries.getProperty(FORMAT))) {
        throw new StartRefusedException(
            "--ledger " + path + ": this file is not a ledger of weir edge; choose a new file");
      }
    }

    Optional<String> gatewayId() {
      return Optional.ofNullable(entries.getProperty(GATEWAY_ID));
    }

    /** The boot id of the last chunk. */
    Optional<Long> bootId() {
      return Optional.ofNullable(entries.getProperty(BOOT_ID)).map(Long::valueOf);
    }

    /** The acknowledged part of a file. */
    SentReadings.Mark acknowledged(String file) {
      return mark(FILE + file).orElse(SentReadings.Mark.NONE);
    }

    Optional<Chunk> underWay() {
      return Optional.ofNullable(entries.getProperty(UNDER_WAY))
          .map(file -> new Chunk(file, mark(UNDER_WAY).orElseThrow(), bootId().orElseThrow()));
    }

    /** Stores a chunk before it is sent; returns when it is durable. */
    void begin(String gatewayId, Chunk chunk) throws IOException {
      entries.setProperty(FORMAT, FORMAT_1);
      entries.setProperty(GATEWAY_ID, gatewayId);
      entries.setProperty(BOOT_ID, Long.toString(chunk.bootId()));
      entries.setProperty(UNDER_WAY, chunk.file());
      put(UNDER_WAY, chunk.after());
      store();
    }

    /** Stores that the chunk in flight is acknowledged. */
    void end(Chunk chunk) throws IOException {
      entries.remove(UNDER_WAY);
      entries.remove(UNDER_WAY + ".readings");
      entries.remove(UNDER_WAY + ".digest");
      put(FILE + chunk.file(), chunk.after());
      store();
    }

    private Optional<SentReadings.Mark> mark(String name) {
      String readings = entries.getProperty(name + ".readings");
      return readings == null
          ? Optional.empty()
          : Optional.of(
              new SentReadings.Mark(
                  Long.parseLong(readings), entries.getProperty(name + ".digest")));
    }

    private void put(String name, SentReadings.Mark mark) {
      entries.setProperty(name + ".readings", Long.toString(mark.count()));
      entries.setProperty(name + ".digest", mark.digest());
    }

    private void store() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputStreamWriter out = new OutputStreamWriter(bytes, UTF_8)) {
        entries.store(
            out, "Readings sent by weir edge --ledger. Do not edit, copy or restore this file.");
      }
      Path draft = path.resolveSibling(path.getFileName() + ".tmp");
      try (FileChannel out =
          FileChannel.open(
              draft,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer content = ByteBuffer.wrap(bytes.toByteArray());
        while (content.hasRemaining()) {
          out.write(content);
        }
        out.force(true);
      }
      Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
      try (lockFile) {
        lock.release();
      }
    }
  }

  /**
   * The sent beginning of a file: the number of readings, and their SHA-256. Two files with the
   * same digest begin with the same readings, in any text form. One thread.
   */
  static final class SentReadings {
    private static final int NUMBERS_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

    private final MessageDigest digest;
    private long count;

    SentReadings() {
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e); // Every JDK has this algorithm.
      }
    }

    /** Their number and digest, in the form of the ledger. */
    record Mark(long count, String digest) {
      static final Mark NONE = new SentReadings().mark();
    }

    void add(Reading reading) {
      byte[] id = reading.sensorId().getBytes(StandardCharsets.UTF_8);
      ByteBuffer numbers = ByteBuffer.allocate(NUMBERS_BYTES);
      numbers.putInt(id.length);
      numbers.putLong(reading.timestampMs());
      numbers.putLong(Double.doubleToRawLongBits(reading.value()));
      numbers.putInt(reading.quality().ordinal());
      digest.update(numbers.array());
      digest.update(id);
      count++;
    }

    /** The mark of all added readings. */
    Mark mark() {
      try {
        MessageDigest soFar = (MessageDigest) digest.clone();
        return new Mark(count, HexFormat.of().formatHex(soFar.digest()));
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e); // The JDK's digest supports clone().
      }
    }

    long count() {
      return count;
    }
  }
}

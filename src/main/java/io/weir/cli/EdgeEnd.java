package io.weir.cli;

import io.weir.edge.CloseReport;
import io.weir.edge.PublisherStatus;
import io.weir.edge.ReadingPublisher;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Ends {@code weir edge}: sends the readings that were read, for at most 30 s, and prints the
 * counts.
 */
final class EdgeEnd {
  private static final Duration LAST_SENDS = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 1_000_000;

  private final TextFeed feed;
  private final ReadingPublisher publisher;
  private final Optional<Path> spoolDir;
  private final Refusals refusals;
  private final LateLook late;
  private final PrintWriter err;

  EdgeEnd(
      TextFeed feed,
      ReadingPublisher publisher,
      Optional<Path> spoolDir,
      Refusals refusals,
      LateLook late,
      PrintWriter err) {
    this.feed = feed;
    this.publisher = publisher;
    this.spoolDir = spoolDir;
    this.refusals = refusals;
    this.late = late;
    this.err = err;
  }

  /**
   * The input has ended, or a signal asked to stop.
   *
   * @return whether all readings are acknowledged
   */
  boolean afterInput(StoppablePipes pipes, BooleanSupplier stopped) throws IOException {
    if (stopped.getAsBoolean()) {
      pipes.stop();
    }
    long endNanos = System.nanoTime() + LAST_SENDS.toNanos();
    long notTaken = feed.finish(() -> endNanos - System.nanoTime() > 0);
    Optional<String> lateNote = Optional.empty();
    if (feed.accepted() > 0 && flushWithin(endNanos - System.nanoTime(), stopped)) {
      refusals.lastLook(publisher::watchesDeadLetters, stopped);
      if (pipes.areUnused()) {
        long found = late.count(feed.accepted(), LateLook.LIMIT, stopped);
        lateNote = LateLook.note(found, feed.accepted());
      }
    }
    boolean acknowledged = closeWithin(endNanos - System.nanoTime());
    lateNote.ifPresent(note -> say("%s", note));
    long unreadBytes = pipes.unreadBytes();
    if (notTaken > 0 || unreadBytes > 0) {
      say("%,d more lines and %,d more bytes were read and not delivered", notTaken, unreadBytes);
    }
    return acknowledged && notTaken == 0 && unreadBytes == 0;
  }

  /** The input failed: delivers and counts the readings that were read before. */
  void afterFailure() {
    closeWithin(LAST_SENDS.toNanos());
  }

  /** Whether all readings are acknowledged; after a signal the close sends the rest. */
  private boolean flushWithin(long nanos, BooleanSupplier stopped) {
    long endNanos = System.nanoTime() + nanos;
    CompletableFuture<Void> all = publisher.flushAsync();
    while (!all.isDone() && !stopped.getAsBoolean() && endNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return all.isDone() && !all.isCompletedExceptionally();
  }

  private boolean closeWithin(long nanos) {
    PublisherStatus status = publisher.status();
    CloseReport report = publisher.close(Duration.ofNanos(Math.max(0, nanos)));
    err.printf(
        Locale.ROOT,
        "%,d readings acknowledged, %,d not, %,d bad lines%n",
        Math.max(0, feed.accepted() - report.unsentReadings()),
        report.unsentReadings(),
        feed.bad());
    TextSummary.print(feed.reader(), err);
    if (!report.complete() && !status.cause().isEmpty()) {
      say("not acknowledged: %s", status.cause());
    }
    refusals.summarize();
    if (!report.complete() && report.state().isEmpty() && spoolDir.isPresent()) {
      say("unacknowledged readings are stored in %s and sent at the next start", spoolDir.get());
    }
    err.flush();
    return report.complete();
  }

  private void say(String format, Object... values) {
    err.printf(Locale.ROOT, "weir edge: " + format + "%n", values);
    err.flush();
  }
}

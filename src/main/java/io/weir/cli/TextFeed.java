package io.weir.cli;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;
import io.weir.text.ReadingTextReader;
import io.weir.text.RejectsWriter;
import io.weir.text.TextLine;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Readings from text to a publisher, as fast as it takes them: where it suspends, this waits. Bad
 * lines are counted and, where wanted, written down. Used by one thread; the counts may be read by
 * any.
 */
public final class TextFeed {
  private static final long PAUSE_NANOS = 500_000;
  private static final long LINES_TO_HINT = 100;

  private final ReadingTextReader reader;
  private final ReadingPublisher publisher;
  private final Optional<RejectsWriter> rejects;
  private final Consumer<String> notes;
  private volatile long accepted;
  private volatile long bad;
  private boolean hinted;

  /**
   * @param rejects where bad lines go, if anywhere
   */
  public TextFeed(
      ReadingTextReader reader, ReadingPublisher publisher, Optional<RejectsWriter> rejects) {
    this(reader, publisher, rejects, note -> {});
  }

  /**
   * @param notes is told what a person should know of the input, a line each, seldom
   */
  public TextFeed(
      ReadingTextReader reader,
      ReadingPublisher publisher,
      Optional<RejectsWriter> rejects,
      Consumer<String> notes) {
    this.notes = notes;
    this.reader = reader;
    this.publisher = publisher;
    this.rejects = rejects;
  }

  /**
   * Feeds until the input ends or somebody asks to stop; calls {@code betweenLines} often.
   *
   * @throws IOException if the input breaks off or bad lines cannot be written
   */
  public void run(BooleanSupplier stopped, Runnable betweenLines) throws IOException {
    long acceptedSoFar = 0;
    bad = reader.bad();
    TextLine line;
    while ((line = next(stopped)) != null) {
      if (line instanceof TextLine.Bad badLine) {
        bad = reader.bad();
        if (rejects.isPresent()) {
          rejects.get().write(badLine);
        }
      } else if (line instanceof TextLine.Good good
          && offer(good.reading(), stopped, betweenLines)) {
        accepted = ++acceptedSoFar;
      }
      hint(false);
      betweenLines.run();
    }
    hint(true);
  }

  private void hint(boolean atEnd) {
    if (!hinted) {
      reader
          .unitHint(atEnd)
          .ifPresent(
              hint -> {
                hinted = true;
                notes.accept(hint);
              });
      hinted |= accepted + bad > LINES_TO_HINT;
    }
  }

  /** The next line; null at the end, or when asked to stop. */
  private TextLine next(BooleanSupplier stopped) throws IOException {
    if (stopped.getAsBoolean()) {
      return null;
    }
    try {
      return reader.next();
    } catch (IOException e) {
      if (stopped.getAsBoolean()) {
        return null; // The input was waiting for more: see StoppableInput.
      }
      throw e;
    }
  }

  private boolean offer(Reading reading, BooleanSupplier stopped, Runnable whileWaiting) {
    Offer offer = publisher.offer(reading);
    while (offer == Offer.SUSPENDED && !stopped.getAsBoolean()) {
      whileWaiting.run();
      LockSupport.parkNanos(PAUSE_NANOS);
      offer = publisher.offer(reading);
    }
    if (offer.reason().isPresent()) {
      throw new IllegalStateException("the text has let through what the publisher refuses");
    }
    return offer == Offer.ACCEPTED;
  }

  /** Readings that the publisher took. */
  public long accepted() {
    return accepted;
  }

  /** Lines that are no readings. */
  public long bad() {
    return bad;
  }

  /** The reader that is fed from. */
  public ReadingTextReader reader() {
    return reader;
  }
}

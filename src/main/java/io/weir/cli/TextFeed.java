package io.weir.cli;

import io.weir.edge.Offer;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.RejectsWriter;
import io.weir.internal.text.TextLine;
import io.weir.reading.Reading;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Offers readings from text to a publisher and waits while it suspends. Counts bad lines and
 * optionally writes them to a file. Used by one thread; any thread may read the counts.
 */
public final class TextFeed {
  private static final long PAUSE_NANOS = 500_000;
  private static final long LINES_TO_HINT = 100;

  private final ReadingTextReader reader;
  private final ReadingPublisher publisher;
  private final Optional<RejectsWriter> rejects;
  private final Consumer<String> notes;
  private final Consumer<Reading> turn;
  private volatile long accepted;
  private volatile long bad;
  private boolean hinted;
  private Reading refused;

  /**
   * @param rejects receives bad lines
   */
  public TextFeed(
      ReadingTextReader reader, ReadingPublisher publisher, Optional<RejectsWriter> rejects) {
    this(reader, publisher, rejects, note -> {});
  }

  /**
   * @param notes receives remarks on the input for the user, one line each; few
   */
  public TextFeed(
      ReadingTextReader reader,
      ReadingPublisher publisher,
      Optional<RejectsWriter> rejects,
      Consumer<String> notes) {
    this(reader, publisher, rejects, notes, reading -> {});
  }

  /**
   * @param turn is called with each reading before it is offered, and may wait
   */
  TextFeed(
      ReadingTextReader reader,
      ReadingPublisher publisher,
      Optional<RejectsWriter> rejects,
      Consumer<String> notes,
      Consumer<Reading> turn) {
    this.notes = notes;
    this.turn = turn;
    this.reader = reader;
    this.publisher = publisher;
    this.rejects = rejects;
  }

  /**
   * Feeds until the input ends or a stop is requested; calls {@code betweenLines} often.
   *
   * @throws IOException if the input fails or bad lines cannot be written
   */
  public void run(BooleanSupplier stopped, Runnable betweenLines) throws IOException {
    long acceptedSoFar = 0;
    bad = reader.bad();
    TextLine line;
    while ((line = next(stopped)) != null) {
      if (line instanceof TextLine.Bad badLine) {
        writeDown(badLine);
      } else if (line instanceof TextLine.Good good
          && offer(good.reading(), stopped, betweenLines)) {
        accepted = ++acceptedSoFar;
      }
      hint(false);
      betweenLines.run();
    }
    hint(true);
  }

  /**
   * After a stop: offers the lines that were read from a pipe and not offered yet, while the
   * publisher accepts them in time. Skips the rest of a file: it can be read again.
   *
   * @param inTime whether time is left to wait for the publisher
   * @return lines and parts of lines that were read from the pipe and not accepted by the publisher
   */
  public long finish(BooleanSupplier inTime) throws IOException {
    boolean pipe = reader.isAtPipe();
    long left = refused == null || !pipe || offerAgain(refused, inTime) ? 0 : 1;
    refused = null;
    for (TextLine line = nextOfPipe(); line != null; line = nextOfPipe()) {
      if (line instanceof TextLine.Good good) {
        left += offerAgain(good.reading(), inTime) ? 0 : 1;
      } else if (line instanceof TextLine.Bad badLine) {
        writeDown(badLine);
      }
    }
    return left + (pipe && reader.holdsPartOfLine() ? 1 : 0);
  }

  private boolean offerAgain(Reading reading, BooleanSupplier inTime) {
    boolean added = offer(reading, () -> !inTime.getAsBoolean(), () -> {});
    accepted += added ? 1 : 0;
    return added;
  }

  /** The next line of a pipe after a stop; null if none is left. */
  private TextLine nextOfPipe() throws IOException {
    try {
      return reader.isAtPipe() ? reader.next() : null;
    } catch (IOException e) {
      if (e.getCause() instanceof InterruptedIOException) {
        return null;
      }
      throw e;
    }
  }

  private void writeDown(TextLine.Bad badLine) throws IOException {
    bad = reader.bad();
    if (rejects.isPresent()) {
      rejects.get().write(badLine);
    }
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

  /** The next line; null at the end or after a stop. */
  private TextLine next(BooleanSupplier stopped) throws IOException {
    if (stopped.getAsBoolean()) {
      return null;
    }
    try {
      return reader.next();
    } catch (IOException e) {
      if (stopped.getAsBoolean()) {
        return null; // The input was blocked: see StoppableInput.
      }
      throw e;
    }
  }

  private boolean offer(Reading reading, BooleanSupplier stopped, Runnable whileWaiting) {
    turn.accept(reading);
    Offer offer = publisher.offer(reading);
    while (offer == Offer.SUSPENDED && !stopped.getAsBoolean()) {
      whileWaiting.run();
      LockSupport.parkNanos(PAUSE_NANOS);
      offer = publisher.offer(reading);
    }
    if (offer.reason().isPresent()) {
      throw new IllegalStateException(
          "the publisher refused a reading that the text reader accepted");
    }
    refused = offer == Offer.ACCEPTED ? null : reading;
    return offer == Offer.ACCEPTED;
  }

  /** Readings that the publisher accepted. */
  public long accepted() {
    return accepted;
  }

  /** Lines that are not readings. */
  public long bad() {
    return bad;
  }

  /** The input. */
  public ReadingTextReader reader() {
    return reader;
  }
}

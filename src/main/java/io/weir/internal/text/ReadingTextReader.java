package io.weir.internal.text;

import io.weir.reading.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Readings from text files, which are one input in their order: CSV, JSON lines or line protocol,
 * or a foreign format as a mapping says; compressed with gzip or not, detected from the content of
 * each file. Every file of CSV has its own header; a file of nothing but empty lines has no
 * readings and needs none.
 *
 * <p>UTF-8; a byte order mark at the beginning of a file is skipped; lines end in LF or CRLF;
 * nothing is trimmed; empty lines are passed over. Every other line gives exactly one {@link
 * TextLine}, a reading or the first reason why there is none, and a bad line says nothing about its
 * neighbours. A line of line protocol gives a reading for each of its numbers, or is bad as a
 * whole, so that it can be repaired and read again; its comments are passed over.
 *
 * <p>Lines are counted over the whole input: the files are one input, a reject must be found by one
 * number, and for a single file it is the number that an editor shows.
 *
 * <p>Not safe for several threads. Lines are read as they come, so a slow pipe is no trouble.
 * Memory is bounded by the longest line and a table of ids, whatever the input; a line of CSV costs
 * one pass to find its end, one over its fields, and two small objects.
 */
public final class ReadingTextReader implements Closeable {
  /** The longest line that is looked at, in bytes without its end. */
  public static final int MAX_LINE_BYTES = 1 << 20;

  private final List<String> names;
  private final Pipes pipes;
  private final TextForm form;
  private final int maxLineBytes;
  private final LineJudge judge;
  private final LineFields fields = new LineFields();

  /** Further readings of the line returned last. */
  private final Deque<TextLine.Good> pending = new ArrayDeque<>();

  private int opened;
  private InputFile file;
  private long linesOfEarlierFiles;
  private long bytesOfEarlierFiles;

  private final Map<LineReason, Long> badByReason = new EnumMap<>(LineReason.class);
  private long bad;
  private long withoutValueEarlier;
  private long passedOverEarlier;
  private Optional<String> remedy = Optional.empty();

  private ReadingTextReader(
      List<String> names,
      Pipes pipes,
      TextForm form,
      Limits limits,
      int maxLineBytes,
      LongSupplier latestTimestampMs) {
    this.names = List.copyOf(names);
    this.pipes = pipes;
    this.form = form;
    this.maxLineBytes = maxLineBytes;
    this.judge = new LineJudge(limits.maxIdBytes(), latestTimestampMs);
  }

  /**
   * Opens files, after a look at the beginning of each that can be looked at twice: a wrong name or
   * header in the last is reported before the first is read.
   *
   * @param names paths in their order; {@value Pipes#STANDARD_INPUT} is standard input
   * @param pipes opens standard input and named pipes, when their turn has come
   * @throws HeaderException where a file of CSV does not begin with the header
   * @throws TextInputException where a file cannot be read
   */
  public static ReadingTextReader open(
      List<String> names, Pipes pipes, TextForm form, Limits limits) throws TextInputException {
    return open(names, pipes, form, limits, MAX_LINE_BYTES);
  }

  /**
   * The same, but for readings of the future: their line is bad (FUTURE_TIMESTAMP).
   *
   * @param latestTimestampMs the latest time that is accepted at the moment of the call
   */
  public static ReadingTextReader open(
      List<String> names, Pipes pipes, TextForm form, Limits limits, LongSupplier latestTimestampMs)
      throws TextInputException {
    return open(names, pipes, form, limits, MAX_LINE_BYTES, latestTimestampMs);
  }

  /** The same, with nanoseconds and default sensor ids where it is line protocol. */
  public static ReadingTextReader open(
      List<String> names, Pipes pipes, TextFormat format, Limits limits) throws TextInputException {
    return open(names, pipes, TextForm.of(format), limits);
  }

  static ReadingTextReader open(
      List<String> names, Pipes pipes, TextForm form, Limits limits, int maxLineBytes)
      throws TextInputException {
    return open(names, pipes, form, limits, maxLineBytes, () -> Long.MAX_VALUE);
  }

  private static ReadingTextReader open(
      List<String> names,
      Pipes pipes,
      TextForm form,
      Limits limits,
      int maxLineBytes,
      LongSupplier latestTimestampMs)
      throws TextInputException {
    for (String name : names) {
      if (InputFile.canBeReadTwice(name)) {
        try (InputFile glance = InputFile.open(name, pipes, form, maxLineBytes)) {
          glance.next();
        }
      }
    }
    return new ReadingTextReader(names, pipes, form, limits, maxLineBytes, latestTimestampMs);
  }

  /**
   * What the next line is, or the next reading of the same line, or null at the end of the input.
   * Waits for bytes as long as the input does. Empty lines, headers and comments are counted but
   * not returned.
   *
   * @throws HeaderException where a file of CSV does not begin with the header
   * @throws TextInputException where the input breaks off; every whole line before was returned
   */
  public TextLine next() throws TextInputException {
    if (!pending.isEmpty()) {
      return pending.remove();
    }
    while (file != null || opened < names.size()) {
      if (file == null) {
        file = InputFile.open(names.get(opened++), pipes, form, maxLineBytes);
      }
      if (file.next()) {
        return judged();
      }
      leaveFile();
    }
    return null;
  }

  private TextLine judged() {
    LineReason reason = reasonAgainst(file.lines());
    if (reason != null) {
      return bad(reason);
    }
    long lineNo = linesRead();
    TextLine.Good first = new TextLine.Good(lineNo, judge.reading());
    while (file.splitter().next(fields)) {
      reason = judge.judge(fields);
      if (reason != null) {
        pending.clear();
        return bad(reason);
      }
      pending.add(new TextLine.Good(lineNo, judge.reading()));
    }
    return first;
  }

  private TextLine bad(LineReason ofFields) {
    LineReason reason = file.splitter().refine(ofFields);
    badByReason.merge(reason, 1L, Long::sum);
    bad++;
    return new TextLine.Bad(file.name(), linesRead(), reason, file.lines().copyOfLine());
  }

  private LineReason reasonAgainst(LineScanner line) {
    if (line.tooLong()) {
      return LineReason.LINE_TOO_LONG;
    }
    if (!line.ascii() && !Utf8.isValid(line.buffer(), line.start(), line.end())) {
      return LineReason.INVALID_UTF8;
    }
    fields.clear(line.end() - line.start());
    LineReason reason = file.splitter().split(line.buffer(), line.start(), line.end(), fields);
    return reason == null ? judge.judge(fields) : reason;
  }

  private void leaveFile() throws TextInputException {
    linesOfEarlierFiles += file.lineNo();
    bytesOfEarlierFiles += file.bytesRead();
    withoutValueEarlier += file.withoutValue();
    passedOverEarlier += file.passedOver();
    remedy = remedy();
    close();
  }

  /** Hands a reading out once more, before all others; it must be the one returned last. */
  public void putBack(TextLine.Good line) {
    pending.addFirst(line);
  }

  /**
   * What to type where the first timestamps were plainly meant in another unit than they are read
   * in; one line. Empty until ten were seen, unless all is read.
   *
   * @param atEnd whether all is read
   */
  public Optional<String> unitHint(boolean atEnd) {
    return judge.units().isLooking() && !atEnd
        ? Optional.empty()
        : UnitHint.of(judge.units(), form);
  }

  /** How many lines were bad so far. */
  public long bad() {
    return bad;
  }

  /** How many lines were bad so far, by reason; zeros left out. */
  public Map<LineReason, Long> badByReason() {
    return Collections.unmodifiableMap(badByReason);
  }

  /**
   * How many cells and JSON members without a value were passed over so far, as a mapping has it.
   */
  public long withoutValue() {
    return withoutValueEarlier + (file == null ? 0 : file.withoutValue());
  }

  /** How many texts among numbers, in JSON and line protocol, were passed over so far. */
  public long passedOver() {
    return passedOverEarlier + (file == null ? 0 : file.passedOver());
  }

  /** What helps where lines were refused, if that is known; one line. */
  public Optional<String> remedy() {
    return remedy.isPresent() || file == null ? remedy : file.remedy();
  }

  /** Physical lines read so far, over all files. */
  public long linesRead() {
    return linesOfEarlierFiles + (file == null ? 0 : file.lineNo());
  }

  /**
   * Whether the input at hand is standard input or a named pipe, so that what was read from it
   * cannot be read again.
   */
  public boolean isAtPipe() {
    return file != null && !InputFile.canBeReadTwice(file.name());
  }

  /** Whether bytes were read that belong to no line yet. */
  public boolean holdsPartOfLine() {
    return file != null && file.holdsPartOfLine();
  }

  /** Bytes read so far of the files as they are stored, over all files: for showing progress. */
  public long bytesRead() {
    return bytesOfEarlierFiles + (file == null ? 0 : file.bytesRead());
  }

  /** Bytes of all files as they are stored; empty where one of them is no regular file. */
  public OptionalLong bytesTotal() {
    long total = 0;
    for (String name : names) {
      try {
        if (!InputFile.canBeReadTwice(name)) {
          return OptionalLong.empty();
        }
        total += Files.size(Path.of(name));
      } catch (IOException gone) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(total);
  }

  /** Closes the file at hand. Standard input stays open. */
  @Override
  public void close() throws TextInputException {
    if (file != null) {
      InputFile closing = file;
      file = null;
      closing.close();
    }
  }

  /** Says in one line which unit timestamps were meant in. */
  static final class UnitHint {
    private static final List<String> NAMES =
        List.of("nanoseconds", "microseconds", "milliseconds", "seconds");
    private static final List<String> SYMBOLS = List.of("ns", "us", "ms", "s");
    private static final int DIGITS_A_STEP = 3;

    private UnitHint() {}

    static Optional<String> of(UnitGuess guess, TextForm form) {
      int taken = SYMBOLS.indexOf(unit(form));
      int meant = taken + guess.digits() / DIGITS_A_STEP;
      if (guess.digits() == 0 || taken < 0 || meant < 0 || meant >= SYMBOLS.size()) {
        return Optional.empty();
      }
      boolean lines = form.mapping().isEmpty() && form.format() == TextFormat.LINE_PROTOCOL;
      return Optional.of(
          "the timestamps look like %s but are read as %s, so that the first is %s; if so: %s %s"
              .formatted(
                  NAMES.get(meant),
                  NAMES.get(taken),
                  Instant.ofEpochMilli(guess.first()),
                  lines ? "--precision" : "--time-format",
                  (lines ? "" : "epoch-") + SYMBOLS.get(meant)));
    }

    /** The unit that timestamps are counted in, if they are counts. */
    private static String unit(TextForm form) {
      if (form.mapping().isPresent()) {
        return form.mapping().get().time().text().replaceFirst("^epoch-", "");
      }
      return form.format() == TextFormat.LINE_PROTOCOL ? form.unit().symbol() : "ms";
    }
  }
}

package io.weir.internal.text;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** One file of readings: its lines, and how they are to be taken apart. One thread. */
final class InputFile implements Closeable {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final String name;
  private final HeadedInput raw;
  private final InputStream unpacked;
  private final TextForm form;
  private final int maxLineBytes;
  private final HeadedInput text;
  private final FileOpening opening;
  private LineScanner lines;
  private JsonElements elements;
  private long elementLine;
  private LineSplitter splitter;

  private InputFile(String name, HeadedInput raw, TextForm form, int maxLineBytes)
      throws IOException {
    this.name = name;
    this.raw = raw;
    this.unpacked = raw.unpacked();
    this.text = new HeadedInput(TranscodedInput.utf8(unpacked, form));
    this.form = form;
    this.maxLineBytes = maxLineBytes;
    this.lines = new LineScanner(text, maxLineBytes);
    this.opening = new FileOpening(name, form);
  }

  /** Whether a look at the file's beginning takes nothing away from it. */
  static boolean canBeReadTwice(String name) {
    if (Pipes.STANDARD_INPUT.equals(name)) {
      return false;
    }
    try {
      return !Files.readAttributes(Path.of(name), BasicFileAttributes.class).isOther();
    } catch (IOException toBeComplainedOf) {
      return true;
    }
  }

  /**
   * Opens a file by its name.
   *
   * @param pipes opens what cannot be read twice
   * @throws TextInputException where it cannot be opened
   */
  static InputFile open(String name, Pipes pipes, TextForm form, int maxLineBytes)
      throws TextInputException {
    try {
      InputStream in =
          canBeReadTwice(name) ? Files.newInputStream(Path.of(name)) : pipes.open(name);
      return new InputFile(name, new HeadedInput(in), form, maxLineBytes);
    } catch (IOException e) {
      throw new TextInputException(name + ": " + describe(e), e);
    }
  }

  /**
   * Goes to the next line that says something and is not the header; false at the end.
   *
   * @throws HeaderException where the first line that is not empty should be the header and is not
   * @throws TextInputException where the file cannot be read on
   */
  boolean next() throws TextInputException {
    while (nextPhysicalLine()) {
      if (splitter == null && opening.skips(lines)) {
        continue;
      }
      if (lines.start() == lines.end()) {
        continue;
      }
      if (splitter == null) {
        boolean taken = opening.take(lines);
        splitter = opening.splitter();
        if (taken) {
          continue;
        }
      }
      if (!splitter.isSilent(lines.buffer(), lines.start(), lines.end())) {
        return true;
      }
    }
    return false;
  }

  private boolean nextPhysicalLine() throws TextInputException {
    try {
      if (lines.lineNo() == 0) {
        text.findLineEnd();
        beginElements();
      }
      boolean more = lines.next();
      if (more && elements != null) {
        elementLine = elements.nextBeginning();
      }
      if (more && lines.lineNo() == 1 && beginsWithMark()) {
        lines.skip(BYTE_ORDER_MARK.length);
      }
      return more;
    } catch (IOException e) {
      String where = name + ": cannot be read beyond line " + lineNo() + ": ";
      throw new TextInputException(where + describe(e), e);
    }
  }

  /**
   * An array may be one line of any length, so it is detected before the search for the first line.
   */
  private void beginElements() throws IOException {
    boolean mayBeArray =
        form.format() == TextFormat.DETECT
            && form.mapping().map(m -> m.skipLines() == 0).orElse(true);
    if (form.format() == TextFormat.JSON_ARRAY || (mayBeArray && text.beginsWith('['))) {
      elements = new JsonElements(text);
      lines = new LineScanner(elements, maxLineBytes);
    }
  }

  private boolean beginsWithMark() {
    for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
      int at = lines.start() + i;
      if (at >= lines.end() || lines.buffer()[at] != BYTE_ORDER_MARK[i]) {
        return false;
      }
    }
    return true;
  }

  /** What is wrong, in a few words of one line. */
  static String describe(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof EOFException) {
      return "the compressed data break off; is the file whole?";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return Printable.line(message);
  }

  String name() {
    return name;
  }

  LineScanner lines() {
    return lines;
  }

  /** Whether bytes were read that belong to no line yet. */
  boolean holdsPartOfLine() {
    return lines.holdsPartOfLine();
  }

  /** Of the current line, from 1; of a JSON value over several lines the first. */
  long lineNo() {
    return elements == null ? lines.lineNo() : elementLine;
  }

  /** How the current line is to be taken apart. */
  LineSplitter splitter() {
    return splitter;
  }

  /** Places for a value that had none, so far. */
  long withoutValue() {
    return splitter == null ? 0 : splitter.withoutValue();
  }

  /** Texts among numbers that were passed over, so far. */
  long passedOver() {
    return splitter == null ? 0 : splitter.passedOver();
  }

  /** What helps where lines were refused. */
  Optional<String> remedy() {
    return splitter == null ? Optional.empty() : splitter.remedy();
  }

  /** Bytes read of the file as it is stored. */
  long bytesRead() {
    return raw.count();
  }

  @Override
  public void close() throws TextInputException {
    try {
      unpacked.close();
    } catch (IOException e) {
      throw new TextInputException(name + ": " + describe(e), e);
    }
  }
}

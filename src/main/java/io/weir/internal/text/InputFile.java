package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.text.mapping.Mapping;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
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
    int end = Math.min(lines.end(), lines.start() + BYTE_ORDER_MARK.length);
    return Arrays.equals(
        lines.buffer(), lines.start(), end, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
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

  /** Text of another encoding as UTF-8. Bytes that mean nothing in it become U+FFFD. One thread. */
  static final class TranscodedInput extends BlockInput {
    private static final int CHUNK_CHARS = 1 << 13;

    private final InputStream in;
    private final Reader reader;
    private final char[] chars = new char[CHUNK_CHARS];
    private byte[] utf8 = {};
    private int taken;
    private int lone;

    private TranscodedInput(InputStream in, Charset charset) {
      this.in = in;
      this.reader = new InputStreamReader(in, charset);
    }

    /** The stream itself where its form says nothing else than UTF-8. */
    static InputStream utf8(InputStream in, TextForm form) {
      Charset charset = form.mapping().map(Mapping::charset).orElse(StandardCharsets.UTF_8);
      return charset.equals(StandardCharsets.UTF_8) ? in : new TranscodedInput(in, charset);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      while (taken == utf8.length) {
        int read = reader.read(chars, lone, chars.length - lone);
        if (read < 0) {
          return -1;
        }
        int end = lone + read;
        // The first half of a pair waits for the second.
        boolean half = Character.isHighSurrogate(chars[end - 1]);
        utf8 = new String(chars, 0, half ? end - 1 : end).getBytes(StandardCharsets.UTF_8);
        lone = half ? 1 : 0;
        chars[0] = chars[end - 1];
        taken = 0;
      }
      int count = Math.min(length, utf8.length - taken);
      System.arraycopy(utf8, taken, target, offset, count);
      taken += count;
      return count;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /**
   * The beginning of a file: what is passed over, whether there is a header, and how lines are
   * taken apart from then on. One thread.
   */
  static final class FileOpening {
    private static final String SEPARATOR_LINE = "sep=";

    private final String name;
    private final TextForm form;
    private LineSplitter splitter;
    private long physicalLines;

    FileOpening(String name, TextForm form) {
      this.name = name;
      this.form = form;
    }

    /** Whether a physical line, empty or not, is before all that matters. */
    boolean skips(LineScanner line) {
      return form.mapping().isPresent() && ++physicalLines <= form.mapping().get().skipLines();
    }

    /**
     * Decides by the first line that is not empty; returns whether it is no more than a header.
     *
     * @throws HeaderException where it should be the header and is not
     */
    boolean take(LineScanner line) throws HeaderException {
      if (form.mapping().isPresent()) {
        return takeMapped(form.mapping().get(), line);
      }
      switch (form.format()) {
        case JSON_LINES, JSON_ARRAY -> splitter = new JsonSplitter();
        case LINE_PROTOCOL -> splitter = new LineProtocolSplitter(form);
        case NEM12 -> splitter = new Nem12Splitter();
        case CSV -> splitter = new CsvSplitter(CsvHeader.columns(name, line));
        case DETECT -> splitter = detected(line);
      }
      return splitter instanceof CsvSplitter;
    }

    private LineSplitter detected(LineScanner line) throws HeaderException {
      if (beginsAsJson(line)) {
        return new JsonSplitter();
      }
      if (Nem12Splitter.begins(line)) {
        return new Nem12Splitter();
      }
      boolean isPoint =
          !line.tooLong() && new Point().scan(line.buffer(), line.start(), line.end());
      return isPoint
          ? new LineProtocolSplitter(form)
          : new CsvSplitter(CsvHeader.columns(name, line));
    }

    private static boolean beginsAsJson(LineScanner line) {
      byte first = line.buffer()[line.start()];
      return first == '{' || first == '[';
    }

    private boolean takeMapped(Mapping mapping, LineScanner line) throws HeaderException {
      boolean json =
          switch (form.format()) {
            case JSON_LINES, JSON_ARRAY -> true;
            case DETECT -> beginsAsJson(line);
            default -> false;
          };
      if (json) {
        splitter = new MappedJsonSplitter(mapping, fileId(), part -> "", false);
        return false;
      }
      if (isSeparatorLine(line)) {
        return true; // Excel's own note to itself; the header follows.
      }
      Cells cells = new Cells(mapping.delimiter());
      if (line.tooLong() || !cells.split(line.buffer(), line.start(), line.end())) {
        throw wrong(line, "cannot be taken apart: a quote is not closed, or it is too long");
      }
      try {
        List<String> names = cells.names(mapping.header());
        MappedColumns columns = MappedColumns.find(mapping, names, false);
        splitter = new MappedCsvSplitter(mapping, columns, fileId(), part -> "");
      } catch (IllegalArgumentException e) {
        throw wrong(line, e.getMessage());
      }
      return mapping.header();
    }

    private static boolean isSeparatorLine(LineScanner line) {
      int length = line.end() - line.start();
      return length == SEPARATOR_LINE.length() + 1
          && new String(line.buffer(), line.start(), length, UTF_8).startsWith(SEPARATOR_LINE);
    }

    private HeaderException wrong(LineScanner line, String why) {
      return new HeaderException(
          name, "%s: line %d: %s".formatted(name, line.lineNo(), Printable.line(why)));
    }

    /** The file's name without directory, {@code .gz} and extension. */
    private String fileId() {
      if (Pipes.STANDARD_INPUT.equals(name)) {
        return "stdin";
      }
      String last = String.valueOf(Path.of(name).getFileName());
      return last.replaceFirst("(?i)\\.gz$", "").replaceFirst("(?<=.)\\.[^.]*$", "");
    }

    /** How lines are taken apart; null until that is decided. */
    LineSplitter splitter() {
      return splitter;
    }

    /**
     * The first line of readings as CSV: how many columns it announces, or what is wrong with it.
     */
    static final class CsvHeader {
      private static final List<byte[]> NAMES =
          List.of(
              "sensor_id".getBytes(UTF_8),
              "timestamp_ms".getBytes(UTF_8),
              "value".getBytes(UTF_8),
              "quality".getBytes(UTF_8));
      private static final int REQUIRED = 3;
      private static final int MAX_SHOWN_BYTES = 100;

      private CsvHeader() {}

      /**
       * How many columns the line announces, 3 or 4.
       *
       * @throws HeaderException where it is another line than the header
       */
      static int columns(String file, LineScanner line) throws HeaderException {
        for (int columns = REQUIRED; columns <= NAMES.size(); columns++) {
          if (!line.tooLong() && announces(columns, line)) {
            return columns;
          }
        }
        int shownEnd = Math.min(line.end(), line.start() + MAX_SHOWN_BYTES);
        int shown = shownEnd - line.start();
        throw new HeaderException(
            file,
            "%s: line %d should be the header sensor_id,timestamp_ms,value[,quality] but is: %s%s"
                .formatted(
                    file,
                    line.lineNo(),
                    Printable.line(new String(line.buffer(), line.start(), shown, UTF_8)),
                    shownEnd < line.end() ? " ..." : ""));
      }

      private static boolean announces(int columns, LineScanner line) {
        LineFields fields = new LineFields();
        fields.clear(line.end() - line.start());
        LineReason reason =
            new CsvSplitter(columns).split(line.buffer(), line.start(), line.end(), fields);
        if (reason != null) {
          return false;
        }
        for (int i = 0; i < columns; i++) {
          if (!fields.holds(i, NAMES.get(i))) {
            return false;
          }
        }
        return true;
      }
    }
  }

  /**
   * RFC 4180 on one physical line, to the letter: a field is quoted from its first byte to its last
   * or not at all, a quote inside is doubled, blanks belong to their field. One pass, no
   * allocation.
   */
  static final class CsvSplitter implements LineSplitter {
    private static final int MALFORMED = -1;

    private final int columns;

    /**
     * @param columns how many fields each line has, as many as its header
     */
    CsvSplitter(int columns) {
      this.columns = columns;
    }

    @Override
    public LineReason split(byte[] line, int start, int end, LineFields fields) {
      int at = start;
      for (int column = 0; column < columns; column++) {
        boolean quoted = at < end && line[at] == '"';
        int fieldEnd = quoted ? quoted(line, at, end, column, fields) : bare(line, at, end);
        if (fieldEnd == MALFORMED) {
          return LineReason.MALFORMED_LINE;
        }
        if (!quoted) {
          fields.set(column, line, at, fieldEnd);
        }
        boolean last = column == columns - 1;
        if (last != (fieldEnd == end)) {
          return LineReason.MALFORMED_LINE;
        }
        at = fieldEnd + 1;
      }
      return null;
    }

    /** The end of a field without quotes. */
    private static int bare(byte[] line, int start, int end) {
      int at = start;
      for (; at < end && line[at] != ','; at++) {
        if (line[at] == '"') {
          return MALFORMED;
        }
      }
      return at;
    }

    /** The end of a field in quotes: where the comma is, or the line's end. */
    private static int quoted(byte[] line, int start, int end, int column, LineFields fields) {
      fields.begin(column);
      int at = start + 1;
      for (; at < end; at++) {
        if (line[at] == '"') {
          boolean doubled = at + 1 < end && line[at + 1] == '"';
          if (!doubled) {
            break;
          }
          at++;
        }
        fields.append(column, line[at]);
      }
      int next = at + 1;
      boolean closed = at < end && (next == end || line[next] == ',');
      return closed ? next : MALFORMED;
    }
  }
}

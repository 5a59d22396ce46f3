package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.text.mapping.Mapping;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The beginning of a file: what is passed over, whether there is a header, and how lines are taken
 * apart from then on. One thread.
 */
final class FileOpening {
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
    boolean isPoint = !line.tooLong() && new Point().scan(line.buffer(), line.start(), line.end());
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
      splitter = new MappedJsonSplitter(mapping, fileId());
      return false;
    }
    if (isSeparatorLine(line)) {
      return true; // Excel's own note to itself; the header follows.
    }
    Cells cells = new Cells(mapping.delimiter());
    if (line.tooLong() || !cells.split(line.buffer(), line.start(), line.end())) {
      throw wrong(line, "cannot be taken apart: a quote is not closed, or it is too long");
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < cells.count(); i++) {
      names.add(mapping.header() ? cells.text(i) : Integer.toString(i + 1));
    }
    try {
      MappedColumns columns = MappedColumns.find(mapping, names);
      splitter = new MappedCsvSplitter(mapping, columns, fileId());
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
}

package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Reads texts as if they came through standard input. */
final class TextLines {
  static final String HEADER = "sensor_id,timestamp_ms,value\n";

  private TextLines() {}

  static List<TextLine> of(String text) throws TextInputException {
    return of(text.getBytes(UTF_8));
  }

  static List<TextLine> of(byte[] bytes) throws TextInputException {
    return of(new ByteArrayInputStream(bytes), TextFormat.DETECT, ReadingTextReader.MAX_LINE_BYTES);
  }

  static List<TextLine> of(InputStream in, TextFormat format, int maxLineBytes)
      throws TextInputException {
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of("-"), Pipes.of(in), TextForm.of(format), Limits.DEFAULT, maxLineBytes)) {
      return rest(reader);
    }
  }

  static List<TextLine> rest(ReadingTextReader reader) throws TextInputException {
    List<TextLine> lines = new ArrayList<>();
    for (TextLine line = reader.next(); line != null; line = reader.next()) {
      lines.add(line);
    }
    return lines;
  }

  /** The only reading of a record under the header of three columns. */
  static Reading reading(String record) throws TextInputException {
    return ((TextLine.Good) single(HEADER + record)).reading();
  }

  /** Why a record under the header of three columns is bad. */
  static LineReason reason(String record) throws TextInputException {
    return ((TextLine.Bad) single(HEADER + record)).reason();
  }

  static TextLine single(String text) throws TextInputException {
    List<TextLine> lines = of(text);
    if (lines.size() != 1) {
      throw new AssertionError("not one line but " + lines);
    }
    return lines.get(0);
  }

  /** Each line in short: its number and its reading or reason. */
  static List<String> inShort(List<TextLine> lines) {
    return lines.stream()
        .map(
            line ->
                line instanceof TextLine.Bad bad
                    ? bad.lineNo() + " " + bad.reason()
                    : line.lineNo() + " " + inShort(((TextLine.Good) line).reading()))
        .toList();
  }

  private static String inShort(Reading r) {
    return r.sensorId() + " " + r.timestampMs() + " " + r.value() + " " + r.quality();
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }
}

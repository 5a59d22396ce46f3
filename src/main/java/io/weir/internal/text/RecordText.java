package io.weir.internal.text;

import io.weir.internal.text.mapping.Mapping;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Readings from the bytes of one record at a time, which others wrote: JSON as a mapping says, in
 * an object, an array or objects one after the other; or line protocol. A frame of a schema
 * registry before JSON and the envelope of Kafka Connect are taken off. Holds the result of the
 * record that was read last; one thread.
 */
public final class RecordText {
  /** A zero and the id of the schema. */
  private static final int FRAME_BYTES = 5;

  /** Most values of a JSON object or array. */
  private static final int MAX_VALUES = 1_000_000;

  /** Where the time of a reading comes from. */
  public enum Time {
    /** From the text; what has none is refused. */
    TEXT,
    /** From the text or, where it has none, from the record. */
    TEXT_OR_RECORD,
    RECORD
  }

  /**
   * A reading that is none, or a text that is not known to hold any.
   *
   * @param position its number among those of the record, from 0
   */
  public record Refused(int position, LineReason reason) {}

  /** How records are written. */
  private enum Kind {
    JSON,
    /** JSON as it is, without frames and envelopes around it. */
    RAW_JSON,
    LINES,
    CSV
  }

  private final Kind kind;
  private final Optional<Mapping> mapping;
  private LineSplitter splitter;
  private final Time time;
  private final int maxReadings;
  private final LineJudge judge;
  private final LineFields fields = new LineFields();
  private final List<Reading> good = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private UnaryOperator<String> parts = part -> "";

  /** The parts of the record that were asked for: all its readings have them. */
  private final Map<String, String> known = new HashMap<>();

  private byte[] recordTime = {};
  private int position;

  private RecordText(
      Kind kind,
      Optional<Mapping> mapping,
      TextForm lines,
      Limits limits,
      Time time,
      int maxReadings) {
    this.kind = kind;
    this.mapping = mapping;
    this.splitter =
        switch (kind) {
          case JSON, RAW_JSON ->
              new MappedJsonSplitter(
                  mapping.get(), "", part -> parts.apply(part), kind == Kind.JSON);
          case LINES -> new LineProtocolSplitter(lines);
          case CSV -> null; // Each record has its header.
        };
    this.time = time;
    this.maxReadings = maxReadings;
    this.judge = new LineJudge(limits.maxIdBytes(), () -> Long.MAX_VALUE);
  }

  /**
   * A reader of JSON.
   *
   * @param maxReadings most readings of a record; a record with more is refused as a whole
   */
  public static RecordText json(Mapping mapping, Limits limits, Time time, int maxReadings) {
    return new RecordText(Kind.JSON, Optional.of(mapping), null, limits, time, maxReadings);
  }

  /** A reader of JSON that takes no frame and no envelope off. */
  public static RecordText rawJson(Mapping mapping, Limits limits, Time time, int maxReadings) {
    return new RecordText(Kind.RAW_JSON, Optional.of(mapping), null, limits, time, maxReadings);
  }

  /** A reader of CSV, with the header in each record or without. */
  public static RecordText csv(Mapping mapping, Limits limits, Time time, int maxReadings) {
    return new RecordText(Kind.CSV, Optional.of(mapping), null, limits, time, maxReadings);
  }

  /** A reader of line protocol. */
  public static RecordText lines(TextForm form, Limits limits, Time time, int maxReadings) {
    return new RecordText(Kind.LINES, Optional.empty(), form, limits, time, maxReadings);
  }

  /**
   * Reads a record.
   *
   * @param recordTime the record's time in milliseconds; empty if it has none
   * @param recordParts what the record has for the parts of a sensor id, such as {@code key}; empty
   *     where it has none
   */
  public void read(byte[] value, String recordTime, UnaryOperator<String> recordParts) {
    begin(recordTime, recordParts);
    boolean framed = kind == Kind.JSON && value.length > FRAME_BYTES && value[0] == 0;
    int from = framed ? FRAME_BYTES : 0;
    if (!Utf8.isValid(value, from, value.length)) {
      refuse(LineReason.INVALID_UTF8);
    } else {
      switch (kind) {
        case JSON, RAW_JSON -> json(value, from);
        case LINES -> lines(value, 0);
        case CSV -> csv(value);
      }
    }
    end();
  }

  /**
   * Takes what a record was decoded to, as JSON has it, with times as {@link java.time.Instant} or
   * {@link java.time.LocalDateTime}.
   */
  public void read(List<Object> values, String recordTime, UnaryOperator<String> recordParts) {
    begin(recordTime, recordParts);
    MappedJsonSplitter mapped = (MappedJsonSplitter) splitter;
    for (Object value : values) {
      if (isFull()) {
        break;
      }
      if (value != null && mapped.split(value, fields) == null) {
        judgeAll();
      }
    }
    end();
  }

  private void begin(String time, UnaryOperator<String> recordParts) {
    good.clear();
    refused.clear();
    position = 0;
    known.clear();
    parts = part -> known.computeIfAbsent(part, each -> SensorIds.cut(recordParts.apply(each)));
    recordTime = time.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether the record has too many readings: no more are read. */
  private boolean isFull() {
    return position > maxReadings;
  }

  /** How many readings and refusals were found before the reading of the record stopped. */
  int found() {
    return position;
  }

  private void end() {
    if (isFull()) {
      good.clear();
      refused.clear();
      refused.add(new Refused(0, LineReason.LINE_TOO_LONG));
    }
  }

  private void json(byte[] value, int from) {
    if (value.length > from && value[from] == '{' && take(value, from, value.length)) {
      return;
    }
    ByteArrayInputStream in = new ByteArrayInputStream(value, from, value.length - from);
    LineScanner elements = new LineScanner(new JsonElements(in), value.length + 1);
    try {
      boolean any = false;
      while (!isFull() && elements.next()) {
        any = true;
        if (!take(elements.buffer(), elements.start(), elements.end())) {
          refuse(LineReason.MALFORMED_LINE);
        }
      }
      if (!any && !isArray(value, from)) {
        refuse(LineReason.MALFORMED_LINE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isArray(byte[] value, int from) {
    return new String(value, from, value.length - from, StandardCharsets.UTF_8)
        .strip()
        .startsWith("[");
  }

  private void csv(byte[] value) {
    Mapping of = mapping.get();
    int from = 0;
    for (int line = 0; line < of.skipLines() && from < value.length; line++) {
      from = endOfLine(value, from) + 1;
    }
    int end = Math.min(value.length, endOfLine(value, from));
    int to = end > from && value[end - 1] == '\r' ? end - 1 : end;
    Cells cells = new Cells(of.delimiter());
    if (from >= to || !cells.split(value, from, to)) {
      refuse(LineReason.MALFORMED_LINE);
      return;
    }
    if (cells.count() > MappedColumns.MAX_COLUMNS) {
      refuse(LineReason.TOO_MANY_COLUMNS);
      return;
    }
    boolean timeElsewhere = time == Time.RECORD || time == Time.TEXT_OR_RECORD && !of.wide();
    try {
      MappedColumns columns = MappedColumns.find(of, cells.names(of.header()), timeElsewhere);
      splitter = new MappedCsvSplitter(of, columns, "", parts);
      lines(value, of.header() ? end + 1 : from);
    } catch (IllegalArgumentException otherColumns) {
      refuse(LineReason.MALFORMED_LINE);
    }
  }

  private static int endOfLine(byte[] value, int from) {
    int end = from;
    while (end < value.length && value[end] != '\n') {
      end++;
    }
    return end;
  }

  private void lines(byte[] value, int begin) {
    int from = begin;
    while (from < value.length && !isFull()) {
      int end = endOfLine(value, from);
      int to = end > from && value[end - 1] == '\r' ? end - 1 : end;
      if (to > from && !splitter.isSilent(value, from, to) && !take(value, from, to)) {
        refuse(LineReason.MALFORMED_LINE);
      }
      from = end + 1;
    }
  }

  /** Takes the readings of an object or a line; false where it is none. */
  private boolean take(byte[] text, int from, int to) {
    boolean json = kind == Kind.JSON || kind == Kind.RAW_JSON;
    boolean object =
        !json
            || from < to
                && (text[from] == '{' || text[from] == '[')
                && !hasTooManyValues(text, from, to);
    fields.clear(to - from);
    LineReason reason = object ? splitter.split(text, from, to, fields) : LineReason.MALFORMED_LINE;
    if (reason == null) {
      judgeAll();
    }
    return reason != LineReason.MALFORMED_LINE;
  }

  /** Whether JSON would be more objects than memory is meant for: each takes tens of bytes. */
  private static boolean hasTooManyValues(byte[] json, int from, int to) {
    int values = 1;
    boolean inText = false;
    for (int i = from; i < to && to - from > MAX_VALUES; i++) {
      switch (json[i]) {
        case '\\' -> i++;
        case '"' -> inText = !inText;
        case ',', '[', '{' -> values += inText ? 0 : 1;
        default -> {
          // Begins no value.
        }
      }
    }
    return values > MAX_VALUES;
  }

  private void judgeAll() {
    do {
      judge();
    } while (!isFull() && splitter.next(fields));
  }

  /** A place without a value is no reading, and so nothing is wrong with it. */
  private void judge() {
    if (fields.isEmpty(LineFields.VALUE)) {
      return;
    }
    boolean missing = fields.isEmpty(LineFields.TIMESTAMP);
    if (time == Time.RECORD || (time == Time.TEXT_OR_RECORD && missing)) {
      fields.set(LineFields.TIMESTAMP, recordTime, 0, recordTime.length);
    }
    LineReason reason = judge.judge(fields);
    if (reason == null) {
      good.add(judge.reading());
      position++;
    } else {
      refuse(splitter.refine(reason));
    }
  }

  private void refuse(LineReason reason) {
    refused.add(new Refused(position++, reason));
  }

  /** The readings, in their order; valid until the next record. */
  public List<Reading> good() {
    return good;
  }

  /** What was refused, in its order; valid until the next record. */
  public List<Refused> refused() {
    return refused;
  }
}

package io.weir.internal.input.influx;

import java.util.Arrays;

/**
 * Takes one line of line protocol apart into slices of the body, in one pass and without
 * allocation:
 *
 * <pre>measurement[,tag=value ...] field=value[,field=value ...] [timestamp]</pre>
 *
 * <p>A backslash before a comma, a space or (but for the measurement) an equals sign takes its
 * meaning from it. A string may hold line breaks. Not thread-safe; valid until the next line.
 */
final class LineParser {
  /** Slices of a pair: where key and value begin and end. */
  private static final int SLICE = 4;

  /** A line of a mebibyte, the longest that is taken, has no more tags or fields. */
  private static final int MOST_PAIRS = 1 << 18;

  private byte[] body;
  private int at;
  private int end;
  private int measurementFrom;
  private int measurementTo;
  private int seriesTo;
  private int[] tags = new int[SLICE * 16];
  private int tagCount;
  private int[] fields = new int[SLICE * 16];
  private int fieldCount;
  private int timestampFrom;
  private int timestampTo;
  private int next;
  private int breaks;

  /**
   * Parses the line that begins there.
   *
   * @return whether it is line protocol; {@link #next()} is behind it in any case
   */
  boolean parse(byte[] bytes, int from, int to) {
    body = bytes;
    at = from;
    end = to;
    tagCount = 0;
    fieldCount = 0;
    breaks = 0;
    boolean good = parseMeasurement() && parseTags() && parseFields() && parseTimestamp();
    if (good) {
      next = at;
      return true;
    }
    skipLine(from);
    next = at;
    return false;
  }

  /**
   * To behind the line break of a line that is none of line protocol, as influxd finds it: a line
   * break in a string does not end the line, so that no text in a string becomes a reading.
   */
  private void skipLine(int from) {
    boolean inFields = false;
    boolean inString = false;
    int values = 0;
    breaks = 0;
    for (at = from; at < end; at++) {
      byte b = body[at];
      if (b == '\n') {
        breaks++;
        if (!inString) {
          at++;
          return;
        }
      } else if (b == '\\' && at + 2 < end) {
        at++;
        breaks += body[at] == '\n' ? 1 : 0;
      } else if (b == ' ') {
        inFields = true;
      } else if (inFields && b == '"' && values > 0) {
        inString = !inString;
      } else if (inFields && !inString) {
        values += b == '=' ? 1 : b == ',' ? -1 : 0;
      }
    }
  }

  private boolean parseMeasurement() {
    measurementFrom = at;
    skipText(false);
    measurementTo = at;
    return measurementTo > measurementFrom;
  }

  private boolean parseTags() {
    while (at < end && body[at] == ',') {
      tags = roomFor(tags, tagCount);
      if (tagCount == MOST_PAIRS || !pair(tags, SLICE * tagCount++, false)) {
        return false;
      }
    }
    seriesTo = at;
    return skipBlanks() > 0;
  }

  private boolean parseFields() {
    at--; // The blank before the first field is in the place of the comma before the others.
    do {
      fields = roomFor(fields, fieldCount);
      if (fieldCount == MOST_PAIRS || !pair(fields, SLICE * fieldCount++, true)) {
        return false;
      }
    } while (at < end && body[at] == ',');
    return true;
  }

  private boolean parseTimestamp() {
    skipBlanks();
    timestampFrom = at;
    while (at < end && body[at] != ' ' && body[at] != '\n' && body[at] != '\r') {
      at++;
    }
    timestampTo = at;
    skipBlanks();
    if (at < end && body[at] == '\r') {
      at++;
    }
    if (at == end) {
      return true;
    }
    breaks++;
    return body[at++] == '\n';
  }

  private boolean pair(int[] slices, int index, boolean ofField) {
    int keyFrom = ++at;
    skipText(true);
    int keyTo = at;
    if (keyTo == keyFrom || at == end || body[at] != '=') {
      return false;
    }
    int valueFrom = ++at;
    if (ofField && at < end && body[at] == '"') {
      if (!skipString()) {
        return false;
      }
    } else {
      skipText(true);
    }
    slices[index] = keyFrom;
    slices[index + 1] = keyTo;
    slices[index + 2] = valueFrom;
    slices[index + 3] = at;
    return at > valueFrom && (at == end || isEndOfPair(body[at]));
  }

  private static boolean isEndOfPair(byte b) {
    return b == ',' || b == ' ' || b == '\n' || b == '\r';
  }

  private void skipText(boolean equalsEnds) {
    int first = at;
    while (at < end) {
      byte b = body[at];
      if (b <= '=') {
        boolean lineEnds = b == '\n' || b == '\r' && (at + 1 == end || body[at + 1] == '\n');
        boolean special = b == ',' || b == ' ' || b == '=' && equalsEnds;
        if (lineEnds || special && !(at > first && body[at - 1] == '\\')) {
          return;
        }
      }
      at++;
    }
  }

  private boolean skipString() {
    for (at++; at < end && body[at] != '"'; at++) {
      breaks += body[at] == '\n' ? 1 : 0;
      if (body[at] == '\\') {
        at++;
        breaks += at < end && body[at] == '\n' ? 1 : 0;
      }
    }
    if (at >= end) {
      at = end;
      return false;
    }
    at++;
    return true;
  }

  private int skipBlanks() {
    int first = at;
    while (at < end && body[at] == ' ') {
      at++;
    }
    return at - first;
  }

  private static int[] roomFor(int[] slices, int count) {
    return slices.length < SLICE * (count + 1) ? Arrays.copyOf(slices, 2 * slices.length) : slices;
  }

  byte[] body() {
    return body;
  }

  /** Where the next line begins. */
  int next() {
    return next;
  }

  /** How many line breaks are in the line and behind it. */
  int breaks() {
    return breaks;
  }

  int measurementFrom() {
    return measurementFrom;
  }

  int measurementTo() {
    return measurementTo;
  }

  /** The end of measurement and tags. */
  int seriesTo() {
    return seriesTo;
  }

  int tags() {
    return tagCount;
  }

  int tagKeyFrom(int tag) {
    return tags[SLICE * tag];
  }

  int tagKeyTo(int tag) {
    return tags[SLICE * tag + 1];
  }

  int tagValueFrom(int tag) {
    return tags[SLICE * tag + 2];
  }

  int tagValueTo(int tag) {
    return tags[SLICE * tag + 3];
  }

  int fields() {
    return fieldCount;
  }

  int keyFrom(int field) {
    return fields[SLICE * field];
  }

  int keyTo(int field) {
    return fields[SLICE * field + 1];
  }

  int valueFrom(int field) {
    return fields[SLICE * field + 2];
  }

  int valueTo(int field) {
    return fields[SLICE * field + 3];
  }

  int timestampFrom() {
    return timestampFrom;
  }

  /** The same as {@link #timestampFrom()} if there is no timestamp. */
  int timestampTo() {
    return timestampTo;
  }
}

package io.weir.internal.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One line of InfluxDB's line protocol, cut into slices that stay as they are escaped:
 *
 * <pre>measurement[,tag=value ...] field=value[,field=value ...] [timestamp]</pre>
 *
 * <p>A backslash before a comma, a space or (but for the measurement) an equals sign takes its
 * meaning from it, and is itself everywhere else. Blanks may be before the measurement and behind
 * the end, and in any number between the three parts. A tag or a field twice spoils the line. The
 * grammar is <a
 * href="https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/">InfluxData's</a>,
 * on one physical line. One thread; valid until the next scan.
 */
final class Point {
  /** A key and its value, in the bytes of the line. */
  record Pair(int keyFrom, int keyTo, int valueFrom, int valueTo) {}

  private static final Pair[] NONE = {};

  private byte[] line;
  private int at;
  private int end;
  private int measurementFrom;
  private int measurementTo;
  private Pair[] tags = NONE;
  private Pair[] fields = NONE;
  private int timestampFrom;
  private int timestampTo;

  /** Values of tags that were asked for, by their names' own arrays; cleared with each line. */
  private final Map<byte[], byte[]> tagValues = new IdentityHashMap<>();

  /** Cuts a line; false where it is none of line protocol, and then there is no point. */
  boolean scan(byte[] bytes, int from, int to) {
    line = bytes;
    tagValues.clear();
    at = from;
    end = to;
    skipBlanks();
    measurementFrom = at;
    measurementTo = skipText(false);
    boolean named = measurementTo > measurementFrom && line[measurementFrom] != '#';
    return named && scanTags() && scanFields() && scanTimestamp();
  }

  private boolean scanTags() {
    List<Pair> found = new ArrayList<>();
    while (at < end && line[at] == ',') {
      Pair tag = pair(false);
      if (tag == null) {
        return false;
      }
      found.add(tag);
    }
    tags = sortedByKey(found);
    return isEachOnce(tags) && skipBlanks() > 0;
  }

  private boolean scanFields() {
    List<Pair> found = new ArrayList<>();
    at--; // The blank before the first field is in the place of the comma before the others.
    do {
      Pair field = pair(true);
      if (field == null) {
        return false;
      }
      found.add(field);
    } while (at < end && line[at] == ',');
    fields = found.toArray(NONE);
    return isEachOnce(sortedByKey(found));
  }

  private boolean scanTimestamp() {
    skipBlanks();
    timestampFrom = at;
    while (at < end && line[at] != ' ') {
      at++;
    }
    timestampTo = at;
    skipBlanks();
    return at == end;
  }

  /** The pair behind the separator at hand; null where there is none. */
  private Pair pair(boolean ofField) {
    int keyFrom = ++at;
    int keyTo = skipText(true);
    if (keyTo == keyFrom || at == end || line[at] != '=') {
      return null;
    }
    int valueFrom = ++at;
    boolean quoted = ofField && at < end && line[at] == '"';
    int valueTo = quoted ? skipQuoted() : skipText(true);
    boolean whole = valueTo > valueFrom && (at == end || line[at] == ',' || line[at] == ' ');
    return whole ? new Pair(keyFrom, keyTo, valueFrom, valueTo) : null;
  }

  /** To where a name or value without quotes ends. */
  private int skipText(boolean equalsEnds) {
    int first = at;
    while (at < end && !(isSpecial(line[at], equalsEnds) && !isEscaped(first))) {
      at++;
    }
    return at;
  }

  private boolean isEscaped(int first) {
    return at > first && line[at - 1] == '\\';
  }

  private static boolean isSpecial(byte b, boolean equalsToo) {
    return b == ',' || b == ' ' || (equalsToo && b == '=');
  }

  /** Behind the quote that closes; to where the value began, where none does. */
  private int skipQuoted() {
    int first = at;
    for (at++; at < end && line[at] != '"'; at++) {
      if (line[at] == '\\') {
        at++;
      }
    }
    if (at >= end) {
      return first;
    }
    return ++at;
  }

  private int skipBlanks() {
    int first = at;
    while (at < end && line[at] == ' ') {
      at++;
    }
    return at - first;
  }

  private Pair[] sortedByKey(List<Pair> pairs) {
    Pair[] sorted = pairs.toArray(NONE);
    Arrays.sort(sorted, byKey());
    return sorted;
  }

  private boolean isEachOnce(Pair[] sorted) {
    for (int i = 1; i < sorted.length; i++) {
      if (byKey().compare(sorted[i - 1], sorted[i]) == 0) {
        return false;
      }
    }
    return true;
  }

  private Comparator<Pair> byKey() {
    return (a, b) -> Arrays.compareUnsigned(line, a.keyFrom, a.keyTo, line, b.keyFrom, b.keyTo);
  }

  /** What is kept for a tag's name, or made of the line: once, however many fields there are. */
  byte[] tagValue(byte[] name, UnaryOperator<byte[]> find) {
    return tagValues.computeIfAbsent(name, find);
  }

  byte[] line() {
    return line;
  }

  int measurementFrom() {
    return measurementFrom;
  }

  int measurementTo() {
    return measurementTo;
  }

  /** Sorted by key, as bytes. */
  Pair[] tags() {
    return tags;
  }

  /** As they are in the line; at least one. */
  Pair[] fields() {
    return fields;
  }

  int timestampFrom() {
    return timestampFrom;
  }

  /** Where there is no timestamp, the same as {@link #timestampFrom()}. */
  int timestampTo() {
    return timestampTo;
  }
}

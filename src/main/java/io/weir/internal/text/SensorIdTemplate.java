package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a field of line protocol is named as a sensor: text with these in it, each replaced.
 *
 * <ul>
 *   <li>{@code {series}}: the measurement and all tags, sorted by key, escaped as in the line:
 *       {@code cpu,cpu=cpu0,host=a}
 *   <li>{@code {measurement}}, {@code {field}}: their names, without escapes
 *   <li>{@code {tag:NAME}}: a tag's value, without escapes; a line that has no such tag is bad
 * </ul>
 *
 * <p>{@link #DEFAULT} gives two fields the same id only where they are the same field of the same
 * series, since the first blank that is not escaped ends the series. A template that leaves out the
 * difference between two fields makes one sensor of them. Immutable.
 */
public final class SensorIdTemplate {
  private static final Pattern PART =
      Pattern.compile("\\{(series|measurement|field|tag:(?<tag>[^{}]+))\\}|(?<text>[^{}]+)");

  /** {@code {series} {field}}: {@code cpu,cpu=cpu0,host=a usage_idle}. */
  public static final SensorIdTemplate DEFAULT = parse("{series} {field}");

  /** No setting allows longer ids: what is beyond is not written, and the id is too long. */
  private static final int MOST_ID_BYTES = 4_096;

  private static final byte[] NO_TAG = {};

  private final List<Part> parts;

  private SensorIdTemplate(List<Part> parts) {
    this.parts = parts;
  }

  /** Adds its share to an id; false where the line has nothing for it. */
  private interface Part {
    boolean write(Point point, Point.Pair field, ByteArrayOutputStream id);
  }

  /**
   * The template that a text spells.
   *
   * @throws IllegalArgumentException where it is empty or has a brace that belongs to none of the
   *     above; the message says what is allowed
   */
  public static SensorIdTemplate parse(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher part = PART.matcher(text);
    int at = 0;
    while (part.lookingAt()) {
      parts.add(part(part));
      at = part.end();
      part.region(at, text.length());
    }
    if (at < text.length() || parts.isEmpty()) {
      throw new IllegalArgumentException(
          text + ": expected: text with {series}, {measurement}, {field} and {tag:NAME} in it");
    }
    return new SensorIdTemplate(List.copyOf(parts));
  }

  private static Part part(Matcher matched) {
    if (matched.group("text") != null) {
      byte[] text = matched.group("text").getBytes(UTF_8);
      return (point, field, id) -> {
        id.writeBytes(text);
        return true;
      };
    }
    if (matched.group("tag") != null) {
      byte[] name = matched.group("tag").getBytes(UTF_8);
      return (point, field, id) -> writeTag(point, name, id);
    }
    return switch (matched.group(1)) {
      case "series" -> SensorIdTemplate::writeSeries;
      case "measurement" -> SensorIdTemplate::writeMeasurement;
      default -> SensorIdTemplate::writeField;
    };
  }

  /** Writes the id of a field; false where the line has no such tag, and then there is no id. */
  boolean write(Point point, Point.Pair field, ByteArrayOutputStream id) {
    for (Part part : parts) {
      if (!part.write(point, field, id)) {
        return false;
      }
    }
    return true;
  }

  private static boolean writeSeries(Point point, Point.Pair field, ByteArrayOutputStream id) {
    int from = point.measurementFrom();
    write(point.line(), from, point.measurementTo(), id);
    for (Point.Pair tag : point.tags()) {
      if (id.size() > MOST_ID_BYTES) {
        break;
      }
      id.write(',');
      write(point.line(), tag.keyFrom(), tag.valueTo(), id);
    }
    return true;
  }

  /** No more than makes the id too long: a line has many fields, each with an id of its own. */
  private static void write(byte[] bytes, int from, int to, ByteArrayOutputStream id) {
    id.write(bytes, from, Math.min(to - from, MOST_ID_BYTES + 1));
  }

  private static boolean writeMeasurement(Point point, Point.Pair field, ByteArrayOutputStream id) {
    int from = point.measurementFrom();
    int to = Math.min(point.measurementTo(), from + 2 * MOST_ID_BYTES + 2);
    id.writeBytes(unescaped(point.line(), from, to, ", "));
    return true;
  }

  private static boolean writeField(Point point, Point.Pair field, ByteArrayOutputStream id) {
    id.writeBytes(unescaped(point.line(), field.keyFrom(), field.keyTo(), ", ="));
    return true;
  }

  private static boolean writeTag(Point point, byte[] name, ByteArrayOutputStream id) {
    byte[] value = point.tagValue(name, wanted -> find(point, wanted));
    write(value, 0, value.length, id);
    return value != NO_TAG;
  }

  private static byte[] find(Point point, byte[] name) {
    for (Point.Pair tag : point.tags()) {
      if (Arrays.equals(unescaped(point.line(), tag.keyFrom(), tag.keyTo(), ", ="), name)) {
        return unescaped(point.line(), tag.valueFrom(), tag.valueTo(), ", =");
      }
    }
    return NO_TAG;
  }

  private static byte[] unescaped(byte[] line, int from, int to, String special) {
    ByteArrayOutputStream text = new ByteArrayOutputStream(to - from);
    for (int i = from; i < to; i++) {
      boolean escapes = line[i] == '\\' && i + 1 < to && special.indexOf(line[i + 1]) >= 0;
      if (!escapes) {
        text.write(line[i]);
      }
    }
    return text.toByteArray();
  }
}

package io.weir.internal.input.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.http.HttpReply;
import io.weir.internal.text.Utf8;
import io.weir.internal.wire.FieldReader;
import io.weir.internal.wire.UndecodableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Reads attributes as texts: numbers, booleans, lists and maps as JSON writes them, bytes as
 * base64. Not thread-safe.
 */
final class Attributes {
  private static final int MOST_DEPTH = 16;
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int DELIMITED = 2;

  private final byte[] body;
  private final FieldReader in = new FieldReader();

  Attributes(byte[] body) {
    this.body = body;
  }

  /** Attributes that are none: a name twice or empty, not UTF-8, nested too deep. */
  static final class BadException extends Exception {
    private static final long serialVersionUID = 1L;

    BadException() {
      super("BAD_LABELS", null, false, false);
    }
  }

  /** Adds those of a message: each field of that number is a KeyValue. */
  void addAll(int from, int to, int field, Map<String, String> attributes)
      throws BadException, UndecodableException {
    in.start(body, from, to);
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(field, DELIMITED)) {
        int outer = in.enter();
        add(attributes);
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
  }

  /** Adds a KeyValue. */
  void add(int from, int to, Map<String, String> attributes)
      throws BadException, UndecodableException {
    in.start(body, from, to);
    add(attributes);
  }

  private void add(Map<String, String> attributes) throws BadException, UndecodableException {
    String[] pair = pair(0, false);
    if (pair[0].isEmpty() || attributes.put(pair[0], pair[1]) != null) {
      throw new BadException();
    }
  }

  /** Name and value; the value is empty if there is none. */
  private String[] pair(int depth, boolean quoted) throws BadException, UndecodableException {
    String[] pair = {"", quoted ? "null" : ""};
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        pair[0] = text(in.length());
      } else if (tag == tag(2, DELIMITED)) {
        int outer = in.enter();
        pair[1] = value(depth, quoted);
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
    return pair;
  }

  /** An AnyValue. */
  private String value(int depth, boolean quoted) throws BadException, UndecodableException {
    if (depth > MOST_DEPTH) {
      throw new BadException();
    }
    String value = quoted ? "null" : "";
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        value = quoted(text(in.length()), quoted);
      } else if (tag == tag(2, VARINT)) {
        value = Boolean.toString(in.varint64() != 0);
      } else if (tag == tag(3, VARINT)) {
        value = Long.toString(in.varint64());
      } else if (tag == tag(4, FIXED64)) {
        value = Double.toString(in.fixedDouble());
      } else if (tag == tag(5, DELIMITED)) {
        value = "[" + String.join(",", elements(depth + 1, false)) + "]";
      } else if (tag == tag(6, DELIMITED)) {
        value = "{" + String.join(",", elements(depth + 1, true)) + "}";
      } else if (tag == tag(7, DELIMITED)) {
        value = quoted(base64(in.length()), quoted);
      } else {
        in.skip(tag);
      }
    }
    return value;
  }

  private List<String> elements(int depth, boolean pairs)
      throws BadException, UndecodableException {
    List<String> elements = new ArrayList<>();
    int outer = in.enter();
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        int list = in.enter();
        if (pairs) {
          String[] pair = pair(depth, true);
          elements.add(HttpReply.quoted(pair[0]) + ":" + pair[1]);
        } else {
          elements.add(value(depth, true));
        }
        in.leave(list);
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    return elements;
  }

  private static String quoted(String text, boolean quoted) {
    return quoted ? HttpReply.quoted(text) : text;
  }

  private String text(int length) throws BadException {
    int from = in.position();
    in.step(length);
    return text(body, from, from + length);
  }

  /** The text in a field of a message; empty if it is missing. */
  String text(int from, int to, int field) throws BadException, UndecodableException {
    String text = "";
    in.start(body, from, to);
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(field, DELIMITED)) {
        text = text(in.length());
      } else {
        in.skip(tag);
      }
    }
    return text;
  }

  /** A slice as text. */
  static String text(byte[] body, int from, int to) throws BadException {
    if (!Utf8.isValid(body, from, to)) {
      throw new BadException();
    }
    return new String(body, from, to - from, UTF_8);
  }

  private String base64(int length) {
    byte[] base64 =
        Base64.getEncoder().encode(Arrays.copyOfRange(body, in.position(), in.position() + length));
    in.step(length);
    return new String(base64, UTF_8);
  }

  static int tag(int number, int wireType) {
    return number << 3 | wireType;
  }
}

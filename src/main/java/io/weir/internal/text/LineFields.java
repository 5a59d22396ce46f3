package io.weir.internal.text;

import java.util.Arrays;

/**
 * The fields of one line: each a slice of the line itself or, where its text had to be unquoted, of
 * a scratch array. A field that is not there is empty. Valid until the next line.
 */
final class LineFields {
  static final int SENSOR_ID = 0;
  static final int TIMESTAMP = 1;
  static final int VALUE = 2;
  static final int QUALITY = 3;
  static final int COUNT = 4;

  private static final byte[] NOTHING = {};

  private final byte[][] bytes = new byte[COUNT][];
  private final int[] from = new int[COUNT];
  private final int[] to = new int[COUNT];
  private byte[] scratch = new byte[256];
  private int scratchUsed;

  /** Empties every field. The unquoted texts of a line are never longer than the line. */
  void clear(int lineBytes) {
    Arrays.fill(bytes, NOTHING);
    Arrays.fill(from, 0);
    Arrays.fill(to, 0);
    scratchUsed = 0;
    if (scratch.length < lineBytes) {
      scratch = new byte[Math.max(lineBytes, 2 * scratch.length)];
    }
  }

  void set(int field, byte[] source, int fromByte, int toByte) {
    bytes[field] = source;
    from[field] = fromByte;
    to[field] = toByte;
  }

  /** Begins a field in the scratch array, to be filled with {@link #append(int, byte)}. */
  void begin(int field) {
    set(field, scratch, scratchUsed, scratchUsed);
  }

  /** Adds a byte to the field begun last. */
  void append(int field, byte b) {
    scratch[scratchUsed++] = b;
    to[field] = scratchUsed;
  }

  byte[] bytes(int field) {
    return bytes[field];
  }

  int from(int field) {
    return from[field];
  }

  int to(int field) {
    return to[field];
  }

  boolean holds(int field, byte[] text) {
    return Arrays.equals(bytes[field], from[field], to[field], text, 0, text.length);
  }

  boolean isEmpty(int field) {
    return from[field] == to[field];
  }
}

package io.weir.lab.hostile;

import java.io.ByteArrayOutputStream;

/**
 * Writes blocks of the Snappy format, as in its <a
 * href="https://github.com/google/snappy/blob/main/format_description.txt">description</a>.
 */
final class SnappyBytes {
  private static final int LITERAL_BYTES = 1 << 16;
  private static final int LITERAL_OF_TWO_LENGTH_BYTES = 61 << 2;
  private static final int COPY_BYTES = 64;
  private static final int COPY_OF_TWO_OFFSET_BYTES = 2;

  private SnappyBytes() {}

  /** Data without compression. */
  static byte[] literals(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length + 16);
    varint(out, plain.length);
    for (int from = 0; from < plain.length; from += LITERAL_BYTES) {
      literal(out, plain, from, Math.min(LITERAL_BYTES, plain.length - from));
    }
    return out.toByteArray();
  }

  /** Zeros; their number is a multiple of 64, plus 1. */
  static byte[] zeros(int atLeast) {
    int copies = (atLeast + COPY_BYTES - 1) / COPY_BYTES;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    varint(out, 1 + copies * COPY_BYTES);
    literal(out, new byte[1], 0, 1);
    for (int i = 0; i < copies; i++) {
      out.write((COPY_BYTES - 1) << 2 | COPY_OF_TWO_OFFSET_BYTES);
      out.write(1);
      out.write(0);
    }
    return out.toByteArray();
  }

  private static void literal(ByteArrayOutputStream out, byte[] plain, int from, int length) {
    out.write(LITERAL_OF_TWO_LENGTH_BYTES);
    out.write((length - 1) & 0xff);
    out.write((length - 1) >>> 8);
    out.write(plain, from, length);
  }

  private static void varint(ByteArrayOutputStream out, int value) {
    int rest = value;
    while (rest >= 0x80) {
      out.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}

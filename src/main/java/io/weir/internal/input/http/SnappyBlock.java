package io.weir.internal.input.http;

/** Decompresses snappy's block format. The length is looked at before memory is taken. */
final class SnappyBlock {
  /** Of three bytes no more than 64 become. */
  private static final long MOST_TIMES = 22;

  private final byte[] in;
  private final int end;
  private int at;
  private byte[] out;
  private int written;

  private SnappyBlock(byte[] in, int end) {
    this.in = in;
    this.end = end;
  }

  /**
   * The length that a block says it has when decompressed.
   *
   * @return -1 if it is no block, or too short for that length
   */
  static int length(byte[] block, int length) {
    int plain = new SnappyBlock(block, length).varint();
    return plain > MOST_TIMES * length ? -1 : plain;
  }

  /** Decompresses a block; null if it is damaged. */
  static byte[] decompress(byte[] block, int length) {
    int decompressed = length(block, length);
    if (decompressed < 0) {
      return null;
    }
    SnappyBlock reader = new SnappyBlock(block, length);
    reader.varint();
    reader.out = new byte[decompressed];
    return reader.run() && reader.written == decompressed ? reader.out : null;
  }

  private int varint() {
    long value = 0;
    for (int shift = 0; shift < 35 && at < end; shift += 7) {
      byte b = in[at++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value > Integer.MAX_VALUE - 8 ? -1 : (int) value;
      }
    }
    return -1;
  }

  private boolean run() {
    while (at < end) {
      int tag = in[at++] & 0xff;
      boolean good =
          switch (tag & 3) {
            case 0 -> literal(tag >>> 2);
            case 1 -> at < end && copy((tag >>> 5) << 8 | in[at++] & 0xff, 4 + (tag >>> 2 & 7));
            case 2 -> end - at >= 2 && copy((int) number(2), 1 + (tag >>> 2));
            default -> end - at >= 4 && copy(number(4), 1 + (tag >>> 2));
          };
      if (!good) {
        return false;
      }
    }
    return true;
  }

  private boolean literal(int code) {
    long length = code + 1L;
    if (code >= 60) {
      int bytes = code - 59;
      if (end - at < bytes) {
        return false;
      }
      length = number(bytes) + 1;
    }
    if (length > end - at || length > out.length - written) {
      return false;
    }
    System.arraycopy(in, at, out, written, (int) length);
    at += (int) length;
    written += (int) length;
    return true;
  }

  private boolean copy(long offset, int length) {
    if (offset == 0 || offset > written || length > out.length - written) {
      return false;
    }
    int from = written - (int) offset;
    if (offset >= length) {
      System.arraycopy(out, from, out, written, length);
    } else {
      for (int i = 0; i < length; i++) {
        out[written + i] = out[from + i];
      }
    }
    written += length;
    return true;
  }

  /** A little-endian number. */
  private long number(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (in[at++] & 0xffL) << 8 * i;
    }
    return value;
  }
}

package io.weir.internal.text;

import java.io.IOException;
import java.io.InputStream;

/**
 * A stream whose beginning may be looked at before it is read, and that counts what was read. Hands
 * over at once what is there, and never waits for more than was asked. One thread.
 */
final class HeadedInput extends BlockInput {
  private static final int MAX_HEAD_BYTES = 1 << 12;
  private static final int GZIP_1 = 0x1f;
  private static final int GZIP_2 = 0x8b;

  private final InputStream in;
  private byte[] head = {};
  private int headBytes;
  private int headTaken;
  private long count;
  private boolean carriageReturns;

  HeadedInput(InputStream in) {
    this.in = in;
  }

  /**
   * The bytes, decompressed if they were compressed. Waits until two are there, or the end. Only
   * before the first read; closes the stream where it cannot be read.
   */
  InputStream unpacked() throws IOException {
    try {
      boolean there = lookAt(0) && lookAt(1);
      if (there) {
        refuseOthers(head[0] & 0xff, head[1] & 0xff);
      }
      boolean gzip = there && (head[0] & 0xff) == GZIP_1 && (head[1] & 0xff) == GZIP_2;
      return gzip ? new GunzipStream(this) : this;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void refuseOthers(int first, int second) throws IOException {
    String others =
        switch (first << 8 | second) {
          case 0x504b -> "a zip archive (.xlsx too): unpack it, or save the sheet as CSV";
          case 0xd0cf -> "an old Excel workbook: save the sheet as CSV";
          case 0x425a -> "compressed with bzip2: unpack it with bunzip2";
          case 0x28b5 -> "compressed with zstd: unpack it with zstd -d";
          case 0xfd37 -> "compressed with xz: unpack it with xz -d";
          default -> "";
        };
    // Letters may begin a text: of a zip archive and of bzip2 the next byte tells.
    boolean letters = first == 0x50 || first == 0x42;
    boolean is = !letters || (lookAt(2) && (head[2] == (first == 0x50 ? 3 : 'h')));
    if (!others.isEmpty()
        && is
        && (first != 0x42 || (lookAt(3) && head[3] >= '1' && head[3] <= '9'))) {
      throw new IOException("it is " + others);
    }
  }

  /**
   * Whether this is the first byte that is no blank, no line end and no byte order mark. Waits
   * until one is there. Only before the first read.
   */
  boolean beginsWith(char first) throws IOException {
    for (int at = 0; at < MAX_HEAD_BYTES && lookAt(at); at++) {
      if (!isSilent(head[at])) {
        return head[at] == first;
      }
    }
    return false;
  }

  /**
   * Looks for the first LF: where there is none and a CR is, each CR is handed over as a LF. Waits
   * until the first line is there. Only before the first read.
   */
  void findLineEnd() throws IOException {
    int start = lookAt(0) && lookAt(1) ? (head[0] & 0xff) << 8 | head[1] & 0xff : -1;
    if (start == 0xfffe || start == 0xfeff || (lookAt(3) && isAsciiInPairs())) {
      throw new IOException(
          "it is UTF-16: CSV and JSON need --encoding UTF-16, line protocol iconv -f UTF-16");
    }
    boolean quoted = false;
    boolean found = false;
    for (int at = 0; at < MAX_HEAD_BYTES && lookAt(at); at++) {
      if (head[at] == '\n') {
        return;
      }
      quoted ^= head[at] == '"';
      found |= head[at] == '\r' && !quoted;
    }
    carriageReturns = found;
  }

  /** Whether it begins with two characters of two bytes, one of them zero, in either order. */
  private boolean isAsciiInPairs() {
    return (head[0] == 0 && head[2] == 0 && head[1] > 0 && head[3] > 0)
        || (head[1] == 0 && head[3] == 0 && head[0] > 0 && head[2] > 0);
  }

  /** Waits until so many bytes and one more are there; false where the stream ends before. */
  private boolean lookAt(int position) throws IOException {
    if (head.length == 0) {
      head = new byte[MAX_HEAD_BYTES];
    }
    while (headBytes <= position) {
      int read = in.read(head, headBytes, head.length - headBytes);
      if (read < 0) {
        return false;
      }
      headBytes += read;
    }
    return true;
  }

  static boolean isSilent(byte b) {
    return " \t\r\n\u00ef\u00bb\u00bf".indexOf(b & 0xff) >= 0;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read =
        headTaken < headBytes ? takeHead(target, offset, length) : in.read(target, offset, length);
    count += Math.max(0, read);
    for (int i = offset; carriageReturns && i < offset + read; i++) {
      target[i] = target[i] == '\r' ? (byte) '\n' : target[i];
    }
    return read;
  }

  private int takeHead(byte[] target, int offset, int length) {
    int taken = Math.min(length, headBytes - headTaken);
    System.arraycopy(head, headTaken, target, offset, taken);
    headTaken += taken;
    return taken;
  }

  /** How many bytes were read. */
  long count() {
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

package io.weir.text;

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
      boolean gzip = there && (head[0] & 0xff) == GZIP_1 && (head[1] & 0xff) == GZIP_2;
      return gzip ? new GunzipStream(this) : this;
    } catch (IOException e) {
      close();
      throw e;
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

  private static boolean isSilent(byte b) {
    return b == ' '
        || b == '\t'
        || b == '\r'
        || b == '\n'
        || b == (byte) 0xef
        || b == (byte) 0xbb
        || b == (byte) 0xbf;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read =
        headTaken < headBytes ? takeHead(target, offset, length) : in.read(target, offset, length);
    count += Math.max(0, read);
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

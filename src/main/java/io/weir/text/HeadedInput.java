package io.weir.text;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream whose beginning may be looked at before it is read. Hands over at once what is there,
 * and never waits for more than was asked. One thread.
 */
final class HeadedInput extends FilterInputStream {
  private static final int MAX_HEAD_BYTES = 1 << 12;

  private byte[] head = {};
  private int headBytes;
  private int headTaken;

  HeadedInput(InputStream in) {
    super(in);
  }

  /**
   * Whether this is the first byte that is no blank, no line end and no byte order mark. Waits
   * until one is there. Only before the first read.
   */
  boolean beginsWith(char first) throws IOException {
    head = new byte[MAX_HEAD_BYTES];
    int looked = 0;
    while (headBytes < head.length) {
      int read = in.read(head, headBytes, head.length - headBytes);
      if (read < 0) {
        return false;
      }
      headBytes += read;
      for (; looked < headBytes; looked++) {
        if (!isSilent(head[looked])) {
          return head[looked] == first;
        }
      }
    }
    return false;
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
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (headTaken == headBytes) {
      return in.read(target, offset, length);
    }
    int taken = Math.min(length, headBytes - headTaken);
    System.arraycopy(head, headTaken, target, offset, taken);
    headTaken += taken;
    return taken;
  }
}

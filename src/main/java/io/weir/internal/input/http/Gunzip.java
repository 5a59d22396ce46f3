package io.weir.internal.input.http;

import io.weir.internal.text.GunzipStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** Decompresses a body, within a limit that is looked at before memory is taken. */
public final class Gunzip {
  private static final int CHUNK_BYTES = 64 * 1024;

  private byte[] bytes = new byte[CHUNK_BYTES];
  private int length;

  private Gunzip() {}

  /** The body is larger than allowed. */
  public static final class TooLargeException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Decompresses; of several members that follow each other, all.
   *
   * @param maxBytes most bytes of the result
   * @param take asked before more memory is used, and given back negative; false ends it
   * @return null if {@code take} refused
   * @throws IOException if it is not gzip, or cut off
   * @throws TooLargeException if the result is larger than {@code maxBytes}
   */
  public static Gunzip of(byte[] body, int length, int maxBytes, IntPredicate take)
      throws IOException, TooLargeException {
    if (length == 0) {
      throw new EOFException();
    }
    Gunzip result = new Gunzip();
    try (InputStream in = new GunzipStream(new ByteArrayInputStream(body, 0, length))) {
      return result.read(in, maxBytes, take) ? result : null;
    }
  }

  private boolean read(InputStream in, int maxBytes, IntPredicate take)
      throws IOException, TooLargeException {
    if (!take.test(bytes.length)) {
      return false;
    }
    while (true) {
      if (length == bytes.length) {
        int larger = (int) Math.min(2L * bytes.length, (long) maxBytes + 1);
        // While it is copied there are both.
        if (!take.test(larger)) {
          return false;
        }
        int before = bytes.length;
        bytes = Arrays.copyOf(bytes, larger);
        take.test(-before);
      }
      int read = in.read(bytes, length, bytes.length - length);
      if (read < 0) {
        return true;
      }
      length += read;
      if (length > maxBytes) {
        throw new TooLargeException();
      }
    }
  }

  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }
}

package io.weir.text;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of a file as they are stored: counted, and told apart by the first two. */
final class RawInput extends InputStream {
  private final InputStream in;
  private final byte[] head = new byte[2];
  private int headBytes;
  private int headTaken;
  private long count;

  /** Takes a stream over, and closes it also where it cannot be read. */
  RawInput(InputStream in) throws IOException {
    this.in = in;
    try {
      headBytes = in.readNBytes(head, 0, head.length);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The bytes as they were before somebody compressed them, if somebody did. */
  InputStream unpacked() {
    boolean gzip = headBytes == 2 && head[0] == 0x1f && head[1] == (byte) 0x8b;
    return gzip ? new GunzipStream(this) : this;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
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

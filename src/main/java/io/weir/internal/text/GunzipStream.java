package io.weir.internal.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip (RFC 1952), one member or several. Java's own GZIPInputStream takes whatever goes
 * wrong at the beginning of a further member for the end of the file, and a pipe that has nothing
 * to give at the moment too, and many empty members overflow its stack; here the input ends where
 * its bytes end, and what is missing or is no gzip is an error. Zeros behind the last member are
 * padding. One thread.
 */
public final class GunzipStream extends BlockInput {
  private static final int BUFFER_BYTES = 1 << 15;

  private static final int DEFLATE = 8;
  private static final int FLAG_HEADER_CRC = 1 << 1;
  private static final int FLAG_EXTRA = 1 << 2;
  private static final int FLAG_NAME = 1 << 3;
  private static final int FLAG_COMMENT = 1 << 4;
  private static final int FLAGS_RESERVED = 0xe0;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] packed = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private boolean anyMember;
  private boolean insideMember;

  public GunzipStream(InputStream in) {
    this.in = in;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (insideMember || beginMember()) {
      int unpacked = inflate(target, offset, length);
      if (unpacked > 0) {
        crc.update(target, offset, unpacked);
        return unpacked;
      }
      if (inflater.finished()) {
        endMember();
      } else {
        feed();
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws ZipException {
    try {
      int unpacked = inflater.inflate(target, offset, length);
      if (inflater.needsDictionary()) {
        throw new ZipException("the compressed data want a dictionary");
      }
      return unpacked;
    } catch (DataFormatException e) {
      throw new ZipException("the compressed data are damaged: " + e.getMessage());
    }
  }

  private void feed() throws IOException {
    if (!fill()) {
      throw new EOFException();
    }
    inflater.setInput(packed, position, limit - position);
  }

  /** Reads a member's header; false where there is no further member. */
  private boolean beginMember() throws IOException {
    int first = nextByte();
    while (first == 0 && anyMember) {
      first = nextByte();
    }
    if (first < 0) {
      return false;
    }
    if (first != 0x1f || requiredByte() != 0x8b) {
      throw new ZipException("what follows the compressed data is not gzip");
    }
    int method = requiredByte();
    int flags = requiredByte();
    if (method != DEFLATE || (flags & FLAGS_RESERVED) != 0) {
      throw new ZipException("compressed by a method that is not known");
    }
    // Time, extra flags and operating system.
    skip(4 + 1 + 1);
    if ((flags & FLAG_EXTRA) != 0) {
      skip((int) littleEndian(2));
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      skip(2);
    }
    crc.reset();
    inflater.reset();
    inflater.setInput(packed, position, limit - position);
    anyMember = true;
    insideMember = true;
    return true;
  }

  private void endMember() throws IOException {
    position = limit - inflater.getRemaining();
    long expectedCrc = littleEndian(4);
    long expectedLength = littleEndian(4);
    if (expectedCrc != crc.getValue()
        || expectedLength != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw new ZipException("the compressed data are damaged: wrong checksum");
    }
    insideMember = false;
  }

  private long littleEndian(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) requiredByte() << 8 * i;
    }
    return value;
  }

  private void skip(int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      requiredByte();
    }
  }

  private void skipText() throws IOException {
    while (requiredByte() != 0) {
      // Up to the NUL that ends it.
    }
  }

  private int requiredByte() throws IOException {
    int b = nextByte();
    if (b < 0) {
      throw new EOFException();
    }
    return b;
  }

  private int nextByte() throws IOException {
    return position == limit && !fill() ? -1 : packed[position++] & 0xff;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = 0;
    limit = Math.max(0, in.read(packed, 0, packed.length));
    return limit > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}

package io.weir.internal.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts bytes into physical lines, ended by LF or the end of the input, with one CR or two right
 * before it. A CR anywhere else is a byte of its line; {@link HeadedInput} has a file of CR alone.
 * The current line is a slice of {@link #buffer()} until the next call of {@link #next()}. Holds at
 * most two times the longest line allowed; of a longer one only the beginning is kept. One pass
 * over the bytes; one thread.
 */
final class LineScanner {
  private static final int INITIAL_BYTES = 1 << 16;

  /** CRs before a LF: some programs write CR CR LF. */
  private static final int MAX_RETURNS = 2;

  private static final int END_BYTES = MAX_RETURNS + 1;

  private final InputStream in;
  private final int maxLineBytes;
  private byte[] window;
  private int position;
  private int limit;

  private byte[] buffer;
  private int start;
  private int end;
  private boolean ascii;
  private boolean tooLong;
  private long lineNo;

  LineScanner(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
    this.window = new byte[Math.min(INITIAL_BYTES, maxLineBytes + END_BYTES)];
  }

  /** Goes to the next line; false at the end of the input. */
  boolean next() throws IOException {
    start = position;
    int scan = position;
    int bits = 0;
    while (true) {
      byte[] bytes = window;
      int scanEnd = limit;
      while (scan < scanEnd) {
        byte b = bytes[scan];
        if (b == '\n') {
          return lineUpTo(scan, scan + 1, bits);
        }
        bits |= b;
        scan++;
      }
      if (scan - start >= maxLineBytes + END_BYTES) {
        return cutLine();
      }
      int scanned = scan - start;
      boolean more = fill();
      scan = start + scanned;
      if (!more) {
        return scanned > 0 && lineUpTo(scan, scan, bits);
      }
    }
  }

  private boolean lineUpTo(int contentEnd, int next, int bits) {
    lineNo++;
    buffer = window;
    position = next;
    end = contentEnd;
    for (int i = 0; i < MAX_RETURNS && end > start && window[end - 1] == '\r'; i++) {
      end--;
    }
    ascii = bits >= 0;
    tooLong = end - start > maxLineBytes;
    end = tooLong ? start + maxLineBytes : end;
    return true;
  }

  /** Keeps the beginning of a line that does not fit and drops the rest of it. */
  private boolean cutLine() throws IOException {
    lineNo++;
    buffer = Arrays.copyOfRange(window, start, start + maxLineBytes);
    start = 0;
    end = maxLineBytes;
    ascii = false;
    tooLong = true;
    do {
      limit = Math.max(0, in.read(window, 0, window.length));
      position = 0;
      while (position < limit) {
        if (window[position++] == '\n') {
          return true;
        }
      }
    } while (limit > 0);
    return true;
  }

  /** Reads on behind what is there, moving or growing it where there is no room. */
  private boolean fill() throws IOException {
    if (limit == window.length) {
      int kept = limit - start;
      int capacity =
          kept < window.length ? window.length : Math.min(2 * kept, maxLineBytes + END_BYTES);
      byte[] larger = capacity == window.length ? window : new byte[capacity];
      System.arraycopy(window, start, larger, 0, kept);
      window = larger;
      start = 0;
      limit = kept;
    }
    int read = in.read(window, limit, window.length - limit);
    if (read < 0) {
      return false;
    }
    limit += read;
    return true;
  }

  /** Whether bytes were read that belong to no line yet. */
  boolean holdsPartOfLine() {
    return position < limit;
  }

  /** Leaves out the first bytes of the current line. */
  void skip(int bytes) {
    start += bytes;
  }

  byte[] buffer() {
    return buffer;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** Whether the current line is known to be of ASCII alone. */
  boolean ascii() {
    return ascii;
  }

  boolean tooLong() {
    return tooLong;
  }

  /** Of the current line, from 1; 0 before the first. */
  long lineNo() {
    return lineNo;
  }

  byte[] copyOfLine() {
    return Arrays.copyOfRange(buffer, start, end);
  }
}

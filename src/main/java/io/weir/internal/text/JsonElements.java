package io.weir.internal.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The elements of a JSON array, or JSON values one after the other, each as a line of its own: what
 * is between them is left out, line ends inside of them become blanks. So a line's reader has them
 * one by one, however they were laid out, and no element is held as a whole here. Remembers on
 * which physical line each began, for those that were not asked for yet. One thread.
 */
final class JsonElements extends BlockInput {
  private static final int CHUNK_BYTES = 1 << 16;

  private final InputStream in;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int at;
  private int limit;

  private final Queue<Long> beginnings = new ArrayDeque<>();
  private long physicalLine = 1;

  private boolean inArray;
  private int depth;
  private boolean inElement;
  private boolean inText;
  private boolean escaped;

  /** An element without brackets, which ends where the next comma or line does. */
  private boolean bare;

  private boolean lineEndOwed;

  JsonElements(InputStream in) {
    this.in = in;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int written = 0;
    while (written == 0 && length > 0) {
      if (at == limit && !lineEndOwed) {
        at = 0;
        limit = Math.max(0, in.read(chunk, 0, chunk.length));
        if (limit == 0) {
          return -1;
        }
      }
      while ((lineEndOwed || at < limit) && written < length) {
        int out = lineEndOwed ? '\n' : step(chunk[at++]);
        lineEndOwed &= out != '\n';
        if (out >= 0) {
          target[offset + written++] = (byte) out;
        }
      }
    }
    return written;
  }

  /** What a byte of the input is in the output; -1 for nothing. */
  private int step(byte b) {
    boolean lineEnd = b == '\n';
    physicalLine += lineEnd ? 1 : 0;
    if (!inElement) {
      return between(b);
    }
    if (inText) {
      inText = escaped || b != '"';
      escaped = !escaped && b == '\\';
      return lineEnd || b == '\r' ? '\t' : b; // Neither may be in a text as it is.
    }
    if (bare && (b == ',' || b == ']' || lineEnd)) {
      inElement = false;
      inArray &= b != ']';
      return '\n';
    }
    inText = b == '"';
    depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
    if (!bare && depth <= 0) {
      inElement = false;
      lineEndOwed = true;
    }
    return lineEnd || b == '\r' ? ' ' : b;
  }

  private int between(byte b) {
    boolean opens = b == '[' && !inArray;
    inArray = (inArray || opens) && b != ']';
    if (HeadedInput.isSilent(b) || opens || b == ',' || b == ']') {
      return -1;
    }
    beginnings.add(physicalLine);
    inElement = true;
    inText = b == '"';
    escaped = false;
    depth = 1;
    bare = b != '{' && b != '[';
    return b;
  }

  /** The physical line on which the next element began; 0 where none is left. */
  long nextBeginning() {
    Long line = beginnings.poll();
    return line == null ? 0 : line;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

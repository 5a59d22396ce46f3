package io.weir.internal.input.sparkplug;

import io.weir.internal.wire.FieldReader;
import io.weir.internal.wire.UndecodableException;

/**
 * A payload of Sparkplug B, read in place: the first pass checks all of it, and finds its time and
 * sequence, which may come last. Not thread-safe.
 */
final class Payload {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int DELIMITED = 2;
  static final int FIXED32 = 5;

  /** The sequence of a payload that has none. */
  static final int NO_SEQUENCE = -1;

  private static final int SEQUENCES = 256;

  private final FieldReader in = new FieldReader();
  private final Metric metric = new Metric();
  private byte[] body;
  private boolean hasTimestamp;
  private long timestampMs;
  private int sequence;

  /**
   * Starts to read.
   *
   * @throws UndecodableException if the bytes are no payload
   */
  void start(byte[] bytes) throws UndecodableException {
    body = bytes;
    hasTimestamp = false;
    sequence = NO_SEQUENCE;
    rewind();
    while (nextMetric()) {
      // Checked by being read.
    }
    rewind();
  }

  private void readMetric() throws UndecodableException {
    int outer = in.enter();
    metric.read(body, in);
    in.leave(outer);
  }

  /** Back to the first metric. */
  void rewind() {
    in.start(body, 0, body.length);
  }

  /** The next metric, or null; it changes with the next call. */
  Metric next() {
    try {
      return nextMetric() ? metric : null;
    } catch (UndecodableException e) {
      throw new IllegalStateException("changed since it was checked", e);
    }
  }

  /**
   * Reads the same fields in each pass: a skipped number is checked differently from a read one.
   */
  private boolean nextMetric() throws UndecodableException {
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      switch (tag) {
        case 1 << 3 | VARINT -> {
          timestampMs = in.varint64();
          hasTimestamp = true;
        }
        case 2 << 3 | DELIMITED -> {
          readMetric();
          return true;
        }
        case 3 << 3 | VARINT -> sequence = (int) (in.varint64() & SEQUENCES - 1);
        default -> in.skip(tag);
      }
    }
    return false;
  }

  boolean hasTimestamp() {
    return hasTimestamp;
  }

  long timestampMs() {
    return timestampMs;
  }

  /** From 0 to 255, or {@link #NO_SEQUENCE}. */
  int sequence() {
    return sequence;
  }
}

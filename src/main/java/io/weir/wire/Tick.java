package io.weir.wire;

import org.apache.kafka.common.header.Headers;

/**
 * A tick: a record without readings, by which the owner of a partition makes time pass in it while
 * nothing else comes. An empty ReadingBatch, bare, with the header {@value #HEADER}. A tick moves
 * the partition's log time by the time that has passed, as any record does, and nothing else,
 * whoever writes it.
 */
public final class Tick {
  /** The header that distinguishes a tick from a gateway's empty batch; its value is empty. */
  public static final String HEADER = "weir.tick";

  private static final byte[] EMPTY = {};

  private Tick() {}

  /** The value of a tick. */
  public static byte[] value() {
    return EMPTY;
  }

  /** Adds the header of a tick. */
  public static void mark(Headers headers) {
    headers.add(HEADER, EMPTY);
  }

  /** Whether a record is one. With readings in it, it is a batch, whatever its headers say. */
  public static boolean is(byte[] value, Headers headers) {
    return value != null && value.length == 0 && headers.lastHeader(HEADER) != null;
  }
}

package io.weir.internal.wire;

import org.apache.kafka.common.header.Headers;

/**
 * A tick: a record without readings, by which the owner of a partition advances time while no other
 * record arrives. An empty, unframed ReadingBatch with the header {@value #HEADER}. A tick advances
 * the partition's log time, as any record does, and has no other effect, whoever writes it.
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

  /** Whether a record is a tick. A record with readings is a batch, regardless of its headers. */
  public static boolean is(byte[] value, Headers headers) {
    return value != null && value.length == 0 && headers.lastHeader(HEADER) != null;
  }
}

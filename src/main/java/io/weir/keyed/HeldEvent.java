package io.weir.keyed;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Events that a state holds, as protobuf, followed by their position: a field that no event has, so
 * that readers of events ignore it.
 */
final class HeldEvent {
  /** Field 536,870,911, the largest, of 12 bytes. */
  private static final byte[] TAG = {(byte) 0xfa, -1, -1, -1, 0x0f, 12};

  private static final int ADDED_BYTES = TAG.length + Long.BYTES + Integer.BYTES;

  private HeldEvent() {}

  /** The bytes to hold of an event in a record. */
  static byte[] of(byte[] record, int messageOffset, int length, long offset, int index) {
    return ByteBuffer.allocate(length + ADDED_BYTES)
        .put(record, messageOffset, length)
        .put(TAG)
        .putLong(offset)
        .putInt(index)
        .array();
  }

  /** States of earlier builds have events without it. */
  private static boolean hasOrigin(byte[] held) {
    int at = held.length - ADDED_BYTES;
    return at >= 0 && Arrays.equals(held, at, at + TAG.length, TAG, 0, TAG.length);
  }

  /** The event alone. */
  static byte[] message(byte[] held) {
    return hasOrigin(held) ? Arrays.copyOf(held, held.length - ADDED_BYTES) : held;
  }

  /** Where it is on its topic; null if that is not known. */
  static EventOrigin origin(byte[] held, String topic, int partition) {
    if (!hasOrigin(held)) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(held);
    in.position(held.length - Long.BYTES - Integer.BYTES);
    return new EventOrigin(topic, partition, in.getLong(), in.getInt());
  }
}

package io.weir.keyed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An event that a state held, with what its dead letter says of it. States hold events as protobuf,
 * followed by a field that no event has, so that readers of events ignore it: the gateway that sent
 * the event, its offset and index, 8 and 4 bytes, and the length of the gateway's id, 2 bytes.
 *
 * @param message the event alone
 * @param origin where it is on its topic; null if that is not known, or if a handler made it
 * @param gateway that sent it; empty if none did, or if that is not known
 */
record HeldEvent(byte[] message, EventOrigin origin, String gateway) {
  /** Field 536,870,911, the largest, of bytes. */
  private static final byte[] TAG = {(byte) 0xfa, -1, -1, -1, 0x0f};

  private static final int POSITION_BYTES = Long.BYTES + Integer.BYTES;
  private static final int FIXED_BYTES = POSITION_BYTES + Short.BYTES;

  /** The bytes to hold of an event in a record. */
  static byte[] of(
      byte[] record, int messageOffset, int length, byte[] gateway, long offset, int index) {
    int contents = gateway.length + FIXED_BYTES;
    byte[] size = varint(contents);
    return ByteBuffer.allocate(length + TAG.length + size.length + contents)
        .put(record, messageOffset, length)
        .put(TAG)
        .put(size)
        .put(gateway)
        .putLong(offset)
        .putInt(index)
        .putShort((short) gateway.length)
        .array();
  }

  /** Takes apart what was held of an event of a topic. */
  static HeldEvent read(byte[] held, String topic, int partition) {
    ByteBuffer in = ByteBuffer.wrap(held);
    int gateway = held.length < FIXED_BYTES ? 0 : in.getShort(held.length - Short.BYTES) & 0xffff;
    int contents = gateway + FIXED_BYTES;
    int end = messageEnd(held, contents);
    if (end < 0) { // States of earlier builds have the position alone, or not even that.
      gateway = 0;
      contents = POSITION_BYTES;
      end = messageEnd(held, contents);
    }
    if (end < 0) {
      return new HeldEvent(held, null, "");
    }
    int from = held.length - contents;
    in.position(from + gateway);
    return new HeldEvent(
        Arrays.copyOf(held, end),
        new EventOrigin(topic, partition, in.getLong(), in.getInt()),
        new String(held, from, gateway, StandardCharsets.UTF_8));
  }

  /** Where the event ends before a field with contents of a length; negative if it is none. */
  private static int messageEnd(byte[] held, int contents) {
    byte[] size = varint(contents);
    int sizeAt = held.length - contents - size.length;
    int at = sizeAt - TAG.length;
    return at >= 0
            && Arrays.equals(held, at, sizeAt, TAG, 0, TAG.length)
            && Arrays.equals(held, sizeAt, sizeAt + size.length, size, 0, size.length)
        ? at
        : -1;
  }

  /** Of at most three bytes. */
  private static byte[] varint(int number) {
    ByteBuffer out = ByteBuffer.allocate(3);
    int rest = number;
    for (; rest > 0x7f; rest >>>= 7) {
      out.put((byte) (rest & 0x7f | 0x80));
    }
    return Arrays.copyOf(out.put((byte) rest).array(), out.position());
  }
}

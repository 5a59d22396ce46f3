package io.weir.internal.wire;

import java.nio.ByteBuffer;

/**
 * Distinguishes bare protobuf from Confluent's wire format by the first byte, since no protobuf
 * message begins with 0: magic 0, schema id as 4 bytes big-endian, message indexes, payload. The
 * format is <a
 * href="https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format">
 * Confluent's</a>.
 */
public final class Frame {
  static final int ID_END = 5;

  private static final int MAGIC = 0;

  private Frame() {}

  /** Whether a value has a head before its payload, by its first byte. */
  public static boolean isFramed(byte[] value) {
    return value.length > 0 && value[0] == MAGIC;
  }

  /**
   * The offset of the payload in a framed or bare value.
   *
   * @throws UndecodableException if the frame is truncated or names another message
   */
  public static int payloadOffset(byte[] value) throws UndecodableException {
    if (!isFramed(value)) {
      return 0;
    }
    boolean shortFormOfFirst = value.length > ID_END && value[ID_END] == 0;
    if (shortFormOfFirst) {
      return ID_END + 1;
    }
    FrameHead head = FrameHead.read(value);
    requireFirst(head.message());
    return head.length();
  }

  /**
   * Requires that a frame names the first message of its file, as all of Weir's are.
   *
   * @throws UndecodableException if it names another
   */
  public static void requireFirst(MessageIndexes message) throws UndecodableException {
    if (!message.equals(MessageIndexes.FIRST)) {
      throw UndecodableException.unknownSchema(
          "frame names a message that is not the first of its file: " + message.path());
    }
  }

  /** The schema id of a framed value that {@link #payloadOffset} has found to be whole. */
  public static int schemaId(byte[] framed) {
    return ByteBuffer.wrap(framed, 1, Integer.BYTES).getInt();
  }

  /** The head of a message. */
  public static byte[] head(int schemaId, MessageIndexes message) {
    byte[] indexes = message.toBytes();
    return ByteBuffer.allocate(ID_END + indexes.length)
        .put((byte) MAGIC)
        .putInt(schemaId)
        .put(indexes)
        .array();
  }

  /** A payload with its head before it. */
  public static byte[] join(byte[] head, byte[] payload) {
    byte[] value = new byte[head.length + payload.length];
    System.arraycopy(head, 0, value, 0, head.length);
    System.arraycopy(payload, 0, value, head.length, payload.length);
    return value;
  }
}

package io.weir.wire;

import io.weir.reading.RejectReason;

/**
 * Tells bare protobuf from Confluent's wire format by the first byte, since no protobuf message
 * begins with 0: magic 0, schema id as 4 bytes big-endian, message indexes as zigzag varints (their
 * count, then each; {@code [0]} is one 0 byte), payload. The format is <a
 * href="https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format">
 * Confluent's</a>.
 */
public final class Frame {
  private static final int MAGIC = 0;
  private static final int ID_END = 5;

  private Frame() {}

  /**
   * Where the payload of the first message of its file begins.
   *
   * @throws UndecodableException if the frame breaks off, or names another message
   */
  public static int payloadOffset(byte[] record) throws UndecodableException {
    if (record.length == 0 || record[0] != MAGIC) {
      return 0;
    }
    if (record.length <= ID_END) {
      throw breaksOff(record);
    }
    int first = record[ID_END];
    if (first == 0) {
      return ID_END + 1;
    }
    boolean indexesBreakOff = record.length == ID_END + 1;
    if (indexesBreakOff) {
      throw breaksOff(record);
    }
    boolean longFormOfFirst = first == 2 && record[ID_END + 1] == 0;
    if (longFormOfFirst) {
      return ID_END + 2;
    }
    throw new UndecodableException(
        RejectReason.UNKNOWN_SCHEMA, "frame names a message that is not the first of its file");
  }

  private static UndecodableException breaksOff(byte[] record) {
    return UndecodableException.malformed("frame of " + record.length + " bytes breaks off");
  }
}

package io.weir.internal.wire;

import com.google.protobuf.WireFormat;
import io.weir.v1.ReadingBatch;

/**
 * Finds the gateway's id in the bytes of a batch, bare or framed, before the batch is decoded: the
 * first one if there are several. It is usually the first field. Not thread-safe.
 */
public final class GatewayIdField {
  private static final int TAG =
      ReadingBatch.GATEWAY_ID_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final FieldReader in = new FieldReader();
  private int offset;
  private int length;

  /** Whether there is one; false also if the bytes before it are not protobuf. */
  public boolean find(byte[] value) {
    offset = 0;
    length = 0;
    try {
      in.start(value, Frame.payloadOffset(value));
      for (int tag = in.tag(); tag != 0; tag = in.tag()) {
        if (tag == TAG) {
          length = in.length();
          offset = in.position();
          return true;
        }
        in.skip(tag);
      }
    } catch (UndecodableException noBatch) {
      return false;
    }
    return false;
  }

  /** Where in the value it begins. */
  public int offset() {
    return offset;
  }

  /** How many bytes of UTF-8 it has; 0 where none was found. */
  public int length() {
    return length;
  }
}

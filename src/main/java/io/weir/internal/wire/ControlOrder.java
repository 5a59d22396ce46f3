package io.weir.internal.wire;

import io.weir.v1.ControlRecord;

/** Reads the orders of the control topic. */
public final class ControlOrder {
  private ControlOrder() {}

  /**
   * The order of a record.
   *
   * @param value null for a record without value, which is no order
   */
  public static ControlRecord of(byte[] value) throws UndecodableException {
    return value == null
        ? ControlRecord.getDefaultInstance()
        : Protobuf.read(ControlRecord.getDefaultInstance(), value);
  }
}

package io.weir.peers;

/** A record of readings as it is on its partition. */
public final class RawBatch {
  public int partition;
  public long offset;
  public byte[] value;
}

package io.weir.reading;

/**
 * Bytes as the key of a table of the JDK: with a keyed hash, so that senders cannot choose names
 * that collide.
 */
public final class ByteKey {
  private final byte[] bytes;
  private final int hash;

  /**
   * @param bytes not to be changed
   */
  public ByteKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = IdBytes.hash(bytes, 0, bytes.length);
  }

  /** Not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteKey key
        && hash == key.hash
        && bytes.length == key.bytes.length
        && IdBytes.equal(bytes, 0, key.bytes, 0, bytes.length);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}

package io.weir.internal.sink;

import java.util.Arrays;

/** A primary key, encoded. The order has no meaning but is the same in all processes. */
final class RowKey implements Comparable<RowKey> {
  private final byte[] bytes;
  private final int hash;

  /**
   * @param bytes not to be changed
   */
  RowKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  @Override
  public int compareTo(RowKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}

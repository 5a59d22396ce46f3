package io.weir.internal.explain;

/** Bytes that are looked for in values: a value is read once, whatever senders write. */
final class Bytes {
  private final byte[] wanted;

  /** For each number of bytes that are there: how many of them may be the first ones again. */
  private final int[] again;

  Bytes(byte[] wanted) {
    this.wanted = wanted.clone();
    this.again = new int[wanted.length];
    int same = 0;
    for (int i = 1; i < wanted.length; i++) {
      same = next(same, wanted[i]);
      again[i] = same;
    }
  }

  private int next(int before, byte each) {
    int same = before;
    while (same > 0 && wanted[same] != each) {
      same = again[same - 1];
    }
    return wanted[same] == each ? same + 1 : 0;
  }

  /** Whether a value has them. */
  boolean areIn(byte[] value) {
    int same = 0;
    for (int i = 0; value != null && i < value.length; i++) {
      same = next(same, value[i]);
      if (same == wanted.length) {
        return true;
      }
    }
    return false;
  }
}

package io.weir.store;

/**
 * How many slots a {@link ChangeRing} has. A member is written whole once in three quarters of so
 * many records and more, and who reads the changelog reads all of them: where members are few, that
 * is read soon, and whole entries would be the larger part of what is written.
 *
 * @param ofFew with few members; the larger number, at most {@value #MOST}
 * @param ofMany with many members; at least {@value #LEAST}
 * @param few with less members there are more slots
 * @param many with more members there are less slots; between the two it stays as it is
 */
record RingSlots(int ofFew, int ofMany, int few, int many) {
  static final int LEAST = 4;
  static final int MOST = 256;

  /** A system property for tests: rings of so many slots, which are used again soon. */
  static final String PROPERTY = "weir.ring.slots";

  static final RingSlots DEFAULT = of(Integer.getInteger(PROPERTY));

  private static RingSlots of(Integer slots) {
    if (slots == null) {
      return new RingSlots(256, 128, 1024, 2048);
    }
    if (slots < LEAST || slots > MOST) {
      throw new IllegalArgumentException(
          PROPERTY + " is " + slots + "; expected: " + LEAST + " to " + MOST);
    }
    return new RingSlots(slots, slots, 1024, 2048);
  }

  /**
   * How many there are from now on.
   *
   * @param members of the ring
   * @param now how many there are
   */
  int of(int members, int now) {
    if (members < few) {
      return ofFew;
    }
    return members > many || now != ofFew ? ofMany : now;
  }
}

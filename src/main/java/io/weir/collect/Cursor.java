package io.weir.collect;

/**
 * Up to where rows of a priority were read, in the order of transaction and id.
 *
 * @param xact of the transaction that inserted the last one: 64 bits without sign
 */
record Cursor(long xact, long id) implements Comparable<Cursor> {
  static final Cursor START = new Cursor(0, 0);
  private static final String BETWEEN = " ";

  /** In the order in which rows are read. */
  @Override
  public int compareTo(Cursor other) {
    int byXact = Long.compareUnsigned(xact, other.xact);
    return byXact != 0 ? byXact : Long.compare(id, other.id);
  }

  /** As weir_collector has it. */
  String text() {
    return Long.toUnsignedString(xact) + BETWEEN + id;
  }

  static Cursor parse(String text) {
    int space = text.indexOf(BETWEEN);
    return new Cursor(
        Long.parseUnsignedLong(text.substring(0, space)),
        Long.parseLong(text.substring(space + 1)));
  }
}

package io.weir.internal.collect;

/**
 * The last row of a priority that was read, in the order of transaction and id.
 *
 * @param xact transaction that inserted the row: 64 bits, unsigned
 */
record Cursor(long xact, long id) implements Comparable<Cursor> {
  static final Cursor START = new Cursor(0, 0);
  private static final String BETWEEN = " ";

  /** The order in which rows are read. */
  @Override
  public int compareTo(Cursor other) {
    int byXact = Long.compareUnsigned(xact, other.xact);
    return byXact != 0 ? byXact : Long.compare(id, other.id);
  }

  /** The text form in weir_collector. */
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

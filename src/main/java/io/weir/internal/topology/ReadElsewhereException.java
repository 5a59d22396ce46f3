package io.weir.internal.topology;

/**
 * The current record is not the next one for the state, and no record was lost: the consumer was
 * moved to the state's position. Records are skipped until the next one arrives.
 */
public final class ReadElsewhereException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * @param offset the offset of the record that comes next, where that is before the record at
   *     hand; otherwise the least that it can have
   */
  public ReadElsewhereException(long offset) {
    super("reading continues at offset " + offset, null, false, false);
    this.offset = offset;
  }

  /** Of the record that comes next. */
  public long offset() {
    return offset;
  }
}

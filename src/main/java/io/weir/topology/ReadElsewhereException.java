package io.weir.topology;

/**
 * The record at hand is not the one that comes next, and nothing was lost: the consumer's position
 * was put where the state goes on. Records are left out until that one comes.
 */
public final class ReadElsewhereException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * @param offset the offset of the record that comes next, where that is before the record at
   *     hand; otherwise the least that it can have
   */
  public ReadElsewhereException(long offset) {
    super("reading goes on at offset " + offset, null, false, false);
    this.offset = offset;
  }

  /** Of the record that comes next. */
  public long offset() {
    return offset;
  }
}

package io.weir.window.durable;

/**
 * A span with an entry of its own: whether it has one, waits for one, or needs none any more. Not
 * safe for several threads.
 */
public abstract class DurableSpan {
  private boolean stored;
  private boolean unwritten;
  private boolean dropped;

  /**
   * @param stored whether it was read from its entry
   */
  protected DurableSpan(boolean stored) {
    this.stored = stored;
  }

  /** Whether it has an entry. */
  public final boolean stored() {
    return stored;
  }

  /** It is kept no longer, and not written any more. */
  public final void drop() {
    dropped = true;
  }

  final boolean dropped() {
    return dropped;
  }

  /** Returns whether it was to be written before. */
  final boolean markUnwritten() {
    boolean before = unwritten;
    unwritten = true;
    return before;
  }

  final void written() {
    stored = true;
    unwritten = false;
  }
}

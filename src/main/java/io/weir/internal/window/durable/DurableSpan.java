package io.weir.internal.window.durable;

/**
 * A derived window with a separate entry: tracks whether the entry exists, must be written, or is
 * not needed any more. Not safe for several threads.
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

  /** Marks it as removed, so that it is not written. */
  public final void drop() {
    dropped = true;
  }

  final boolean dropped() {
    return dropped;
  }

  /** Marks it to be written; returns whether it was marked before. */
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

package io.weir.internal.store;

import java.io.IOException;

/** The state that was kept cannot be gone on with: a person decides. */
public final class StateMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param message what does not fit, and what can be done
   */
  public StateMismatchException(String message) {
    super(message);
  }

  /** Of an entry whose key says a kind that this version does not know. */
  public static StateMismatchException ofKind(byte kind) {
    return new StateMismatchException(
        "the changelog has an entry of kind "
            + kind
            + ", which this version does not know: was it written by a newer one?");
  }

  /** Refuses a state that was kept with windows of another size. */
  static void requireWindowSize(long keptMs, long sizeMs) {
    if (keptMs != sizeMs) {
      throw new StateMismatchException(
          "weir.window.size is "
              + sizeMs
              + "ms, but the state was kept with "
              + keptMs
              + "ms: set it back, or start under another weir.application.id, which aggregates again"
              + " what the readings topic still has (docs/operate/runbook.md, Reset)");
    }
  }

  /** Of an entry that cannot be read. */
  public static StateMismatchException ofDamage(IOException damage) {
    return new StateMismatchException(
        "an entry of the changelog is damaged: " + damage.getMessage());
  }
}

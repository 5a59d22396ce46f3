package io.weir.edge;

/**
 * That Weir refused a batch of a gateway, or readings of one: a record on the dead-letter topic.
 *
 * @param reason the reason that the record carries, such as FENCED
 * @param bootId which start of the gateway had sent it; 0 where the batch had none
 */
public record Refusal(String reason, long bootId) {
  /** Receives each refusal, on a thread that does nothing else. */
  @FunctionalInterface
  public interface Listener {
    void refused(Refusal refusal);
  }

  /**
   * Whether everything of that start is refused: another process uses the gateway id, or the clock
   * is or was wrong.
   */
  public boolean isOfAllBatches() {
    return reason.equals("FENCED") || reason.equals("FUTURE_BOOT");
  }
}

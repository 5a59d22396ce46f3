package io.weir.edge;

/**
 * A record on the dead-letter topic: Weir refused a batch of a gateway, or readings in one.
 *
 * @param reason the reason that the record carries, such as FENCED
 * @param bootId boot id of the batch; 0 if it had none
 */
public record Refusal(String reason, long bootId) {
  /** Receives each refusal, on a dedicated thread. */
  @FunctionalInterface
  public interface Listener {
    void refused(Refusal refusal);
  }

  /**
   * Whether all batches of that start are refused: another process uses the gateway id, or the
   * clock is or was wrong.
   */
  public boolean isOfAllBatches() {
    return reason.equals("FENCED") || reason.equals("FUTURE_BOOT");
  }
}

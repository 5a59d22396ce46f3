package io.weir.edge;

/**
 * Whether a publisher's readings reach the brokers.
 *
 * @param state the state of the publisher
 * @param cause why it cannot publish, in one line; empty if it can
 */
public record PublisherStatus(State state, String cause) {
  /** The state of a publisher. */
  public enum State {
    /** It has not reached the brokers yet. */
    CONNECTING,
    /** The topic exists and is valid, and batches are acknowledged. */
    PUBLISHING,
    /** No batches reach the brokers; it retries. */
    RETRYING,
    /** It publishes, but some partitions do not accept batches. */
    HELD,
    /**
     * The brokers accept the batches but Weir refuses them as FENCED or FUTURE_BOOT: another
     * process uses the gateway id, or the clock is wrong. Detected only with {@code
     * watchDeadLetters}.
     */
    REFUSED,
    /** It was closed. */
    CLOSED
  }

  /** Receives changes. Called on the publisher's thread, which sends nothing meanwhile. */
  @FunctionalInterface
  public interface Listener {
    void changed(PublisherStatus status);
  }

  static PublisherStatus of(State state) {
    return new PublisherStatus(state, "");
  }

  /** Whether readings reach the brokers, at least those of most partitions. */
  public boolean isPublishing() {
    return state == State.PUBLISHING || state == State.HELD;
  }
}

package io.weir.edge;

/**
 * Whether a publisher gets its readings to the brokers.
 *
 * @param state what it does
 * @param cause why it cannot publish, in one line; empty where it can
 */
public record PublisherStatus(State state, String cause) {
  /** What a publisher does. */
  public enum State {
    /** It has not reached the brokers yet. */
    CONNECTING,
    /** The topic is there and right, and nothing is in the way. */
    PUBLISHING,
    /** Nothing gets through; it tries again by itself. */
    RETRYING,
    /** It publishes, but some partitions do not take what is sent to them. */
    HELD,
    /**
     * The brokers take what is sent and Weir refuses it, as FENCED or FUTURE_BOOT: the gateway id
     * is another process's too, or the clock is wrong. Known only where {@code watchDeadLetters} is
     * set.
     */
    REFUSED,
    /** It was closed. */
    CLOSED
  }

  /** Receives changes. Called on the publisher's own thread, which sends nothing meanwhile. */
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

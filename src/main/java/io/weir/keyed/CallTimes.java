package io.weir.keyed;

import io.weir.internal.time.Daemons;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the time of handlers, because a transaction is aborted after its timeout. A call that runs
 * longer than the call timeout is interrupted. Once that timeout has passed since a thread's first
 * call, no further call begins before the thread commits. Thread-safe; each thread has its own
 * {@link Slot}.
 */
final class CallTimes implements AutoCloseable {
  static final long DEFAULT_MS = 20_000;

  /** An open transaction blocks every read_committed consumer of its partitions. */
  static final long MOST_MS = 60_000;

  static final long LEAST_MS = 1_000;

  /** Time of a transaction besides the calls: a commit interval before them, and the commit. */
  private static final long COMMIT_MS = 20_000;

  private static final long LOOK_EVERY_MS = 250;
  private static final long LOG_EVERY_MS = 30_000;
  private static final Logger LOG = LoggerFactory.getLogger(CallTimes.class);
  private static final long NONE = Long.MIN_VALUE;

  private final LongSupplier elapsedMs;
  private final long timeoutMs;
  private final Queue<Slot> all = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Slot> slots = ThreadLocal.withInitial(this::add);
  private ScheduledExecutorService watch;
  private volatile boolean stopped;

  /**
   * @param elapsedMs a monotonic clock in milliseconds
   * @param timeoutMs of a call
   */
  CallTimes(LongSupplier elapsedMs, long timeoutMs) {
    this.elapsedMs = elapsedMs;
    this.timeoutMs = timeoutMs;
  }

  /**
   * The transaction timeout for a given call timeout: up to one timeout may have passed when the
   * last event begins, and that event may start its key, be handled and end its key.
   */
  static int transactionTimeoutMs(long timeoutMs) {
    return Math.toIntExact(4 * timeoutMs + COMMIT_MS);
  }

  private Slot add() {
    Slot slot = new Slot();
    all.add(slot);
    return slot;
  }

  /** The calling thread's. */
  Slot ofThread() {
    return slots.get();
  }

  /** Starts the thread that interrupts calls beyond their timeout. */
  CallTimes start() {
    watch = Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-call-watch"));
    watch.scheduleWithFixedDelay(this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    return this;
  }

  /** No further call begins: what is read from now on waits in the state for the next process. */
  void stop() {
    stopped = true;
  }

  /** Interrupts each call that has exceeded its timeout. */
  void look() {
    all.forEach(Slot::look);
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.shutdownNow();
    }
  }

  /** The calls of one thread. */
  final class Slot {
    private final Thread thread = Thread.currentThread();
    private CallContext running;
    private long beganMs;
    private long loggedMs;
    private long firstMs = NONE;
    private boolean isOver;
    private boolean isHalfOver;

    synchronized void begin(CallContext call) {
      running = call;
      beganMs = elapsedMs.getAsLong();
      loggedMs = NONE;
      if (firstMs == NONE) {
        firstMs = beganMs;
      }
    }

    /**
     * Ends the call and clears the interrupt flag of the thread.
     *
     * @param thrown the exception of the call, or null
     * @return the cause of its failure, or null if it succeeded
     */
    synchronized Throwable end(Throwable thrown) {
      long nowMs = elapsedMs.getAsLong();
      running = null;
      Thread.interrupted();
      isOver = nowMs - firstMs >= timeoutMs;
      isHalfOver = nowMs - firstMs >= timeoutMs / 2;
      long tookMs = nowMs - beganMs;
      if (tookMs <= timeoutMs) {
        return thrown;
      }
      String what = "the call took %d ms; expected: %d (callTimeout)";
      return new TimeoutException(what.formatted(tookMs, timeoutMs)).initCause(thrown);
    }

    /** Whether the thread must commit before its next call. */
    boolean isOver() {
      return stopped || isOver;
    }

    /** Whether half of that time is over: the other half is for events. */
    boolean isHalfOver() {
      return stopped || isHalfOver;
    }

    /** The thread has committed, or its tasks were reset to their last commit. */
    void committed() {
      firstMs = NONE;
      isOver = false;
      isHalfOver = false;
    }

    private synchronized void look() {
      long nowMs = elapsedMs.getAsLong();
      if (running == null || nowMs - beganMs <= timeoutMs) {
        return;
      }
      if (loggedMs == NONE || nowMs - loggedMs >= LOG_EVERY_MS) {
        loggedMs = nowMs;
        LOG.warn(
            "{} has run for {} s; expected: {} (callTimeout): it is interrupted and fails",
            running.describe(),
            (nowMs - beganMs) / 1_000,
            timeoutMs / 1_000);
        thread.interrupt();
      }
    }
  }
}

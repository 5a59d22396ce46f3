package io.weir.keyed;

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
 * How long handlers may take, as a transaction ends with its timeout whatever is under way: a call
 * may take its timeout, and after as much since a thread's first call no further one begins before
 * the thread has committed. A call that takes longer is interrupted. Safe for many threads, each of
 * which has its own {@link Slot}.
 */
final class CallTimes implements AutoCloseable {
  static final long DEFAULT_MS = 20_000;

  /** An open transaction holds back every reader of its partitions. */
  static final long MOST_MS = 60_000;

  static final long LEAST_MS = 1_000;

  /** What a transaction takes beside calls: those of a commit interval before, and its commit. */
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

  /**
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   * @param timeoutMs of a call
   */
  CallTimes(LongSupplier elapsedMs, long timeoutMs) {
    this.elapsedMs = elapsedMs;
    this.timeoutMs = timeoutMs;
  }

  /** That of transactions in which calls take up to a timeout. */
  static int transactionTimeoutMs(long timeoutMs) {
    return Math.toIntExact(2 * timeoutMs + COMMIT_MS);
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

  /** Begins to interrupt calls that take too long. */
  CallTimes start() {
    watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "weir-call-watch");
              thread.setDaemon(true);
              return thread;
            });
    watch.scheduleWithFixedDelay(this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    return this;
  }

  /** Interrupts each call that has taken too long. */
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

    synchronized void begin(CallContext call) {
      running = call;
      beganMs = elapsedMs.getAsLong();
      loggedMs = NONE;
      if (firstMs == NONE) {
        firstMs = beganMs;
      }
    }

    /**
     * The call has ended; whoever interrupted it, the thread goes on without that.
     *
     * @param thrown what it threw, or null
     * @return why it has failed; null where it has not
     */
    synchronized Throwable end(Throwable thrown) {
      long nowMs = elapsedMs.getAsLong();
      running = null;
      Thread.interrupted();
      isOver = nowMs - firstMs >= timeoutMs;
      long tookMs = nowMs - beganMs;
      if (tookMs <= timeoutMs) {
        return thrown;
      }
      String what = "the call took %d ms; expected: %d (callTimeout)";
      return new TimeoutException(what.formatted(tookMs, timeoutMs)).initCause(thrown);
    }

    /** Whether no further call is to begin before the thread has committed. */
    boolean isOver() {
      return isOver;
    }

    /** The thread has committed, or its tasks go back to their last commit. */
    void committed() {
      firstMs = NONE;
      isOver = false;
    }

    private synchronized void look() {
      long nowMs = elapsedMs.getAsLong();
      if (running == null || nowMs - beganMs <= timeoutMs) {
        return;
      }
      if (loggedMs == NONE || nowMs - loggedMs >= LOG_EVERY_MS) {
        loggedMs = nowMs;
        LOG.warn(
            "{} has run for {} s; expected: {} (callTimeout): it is interrupted, and fails",
            running.describe(),
            (nowMs - beganMs) / 1_000,
            timeoutMs / 1_000);
        thread.interrupt();
      }
    }
  }
}

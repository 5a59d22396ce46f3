package io.weir.internal.collect;

import io.weir.internal.app.CollectSettings;
import io.weir.internal.collect.Budget.Bucket;
import java.util.Optional;

/**
 * Decides when the outbox is read, and how many rows are sent and when. One thread; times are of
 * monotonic clocks.
 */
final class Pace {
  private static final long FIRST_LOOK_MS = 10;
  private static final long LAST_LOOK_MS = 1_000;
  private static final long SOON_MS = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long pollMs;
  private final long burst;
  private final AdaptiveLimit limit;
  private final FlushTimer timer = new FlushTimer();
  private final Optional<Budget> budget;
  private boolean due;
  private boolean shortOfBudget;
  private boolean heldBack;
  private long heldBackLookMs = FIRST_LOOK_MS;
  private int sentRows;
  private boolean backlog;

  Pace(CollectSettings settings, int maxRows) {
    this.pollMs = settings.pollInterval().toMillis();
    this.burst = settings.burst();
    this.budget =
        settings.maxRate().map(rate -> new Budget(rate, settings.burst(), System.nanoTime()));
    this.limit =
        new AdaptiveLimit(
            settings.adaptive(),
            settings.batchLimit(),
            maxRows,
            settings.batchTimeout().toMillis(),
            settings.targetLatency().toMillis());
  }

  /**
   * Starts without knowledge of waiting rows.
   *
   * @param kept the budget of the previous owner, empty if none was stored
   */
  void begin(long nowMs, Optional<Bucket> kept, long nowNanos) {
    kept.ifPresent(bucket -> budget.ifPresent(current -> current.restore(bucket, nowNanos)));
    timer.sent(false, nowMs);
    due = false;
    shortOfBudget = false;
  }

  /** The number of rows that may be read now; 0 if the budget has no tokens, or too few. */
  int limit(long nowMs, long nowNanos) {
    if (budget.isEmpty()) {
      return limit.rows();
    }
    long tokens = budget.get().available(nowNanos);
    boolean saves =
        shortOfBudget && tokens < worthWhile() && timer.dueInMs(limit.timeoutMs(), nowMs) > 0;
    return saves ? 0 : (int) Math.min(tokens, limit.rows());
  }

  /** The budget after this number of rows; empty without a rate limit. */
  Optional<Bucket> budgetAfter(int rows, long nowNanos) {
    return budget.map(bucket -> bucket.after(rows, nowNanos));
  }

  /**
   * Tokens that the budget accumulates while more rows wait, so that rows are not sent one by one.
   */
  private long worthWhile() {
    return Math.min(limit.rows(), (burst + 1) / 2);
  }

  /** Rows were read. */
  void saw(Selection selection, boolean isHeldBack, long nowMs) {
    int rows = selection.rows().size();
    boolean enough = budget.isEmpty() || rows >= worthWhile();
    due = timer.isDue(rows, selection.full() && enough, limit.timeoutMs(), nowMs);
    shortOfBudget = !due && selection.full();
    heldBack(isHeldBack);
  }

  /**
   * Rows were counted that are not read yet.
   *
   * @return whether a batch is due
   */
  boolean counted(int rows, boolean full, boolean isHeldBack, long nowMs) {
    heldBack(isHeldBack);
    return timer.isDue(rows, full, limit.timeoutMs(), nowMs);
  }

  private void heldBack(boolean isHeldBack) {
    heldBackLookMs =
        isHeldBack && heldBack ? Math.min(2 * heldBackLookMs, LAST_LOOK_MS) : FIRST_LOOK_MS;
    heldBack = isHeldBack;
  }

  /** Whether to send the rows that were read. */
  boolean isDue() {
    return due;
  }

  /** A batch was sent. */
  void sent(Selection selection, long nowMs) {
    sentRows = selection.rows().size();
    backlog = selection.more();
    budget.ifPresent(bucket -> bucket.spend(sentRows));
    timer.sent(backlog, nowMs);
    due = false;
  }

  /** The batch was acknowledged. */
  void acknowledged(long ackMs) {
    limit.acknowledged(sentRows, backlog, ackMs);
    sentRows = 0;
    backlog = false;
  }

  /**
   * Milliseconds until the budget has enough tokens for waiting rows; 0 if it does not delay them.
   */
  long budgetInMs(long nowMs, long nowNanos) {
    if (budget.isEmpty()) {
      return 0;
    }
    long nextMs = millis(budget.get().nextInNanos(nowNanos));
    if (!shortOfBudget) {
      return nextMs;
    }
    long enoughMs = millis(budget.get().inNanos(worthWhile(), nowNanos));
    long dueMs = Math.max(0, timer.dueInMs(limit.timeoutMs(), nowMs));
    return Math.max(1, Math.max(nextMs, Math.min(enoughMs, dueMs)));
  }

  /** Rounds up. */
  private static long millis(long nanos) {
    return (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
  }

  /** Whether waiting rows will be sent soon. */
  boolean isSoonDue(long nowMs, long nowNanos) {
    long dueMs = timer.dueInMs(limit.timeoutMs(), nowMs);
    return dueMs >= 0 && dueMs <= SOON_MS && budgetInMs(nowMs, nowNanos) == 0;
  }

  /** Milliseconds until the next read of the outbox. */
  long lookInMs(long nowMs, long nowNanos) {
    long budgetMs = budgetInMs(nowMs, nowNanos);
    if (budgetMs > 0) {
      return budgetMs;
    }
    long dueMs = timer.dueInMs(limit.timeoutMs(), nowMs);
    long ms = dueMs < 0 ? pollMs : Math.min(pollMs, dueMs);
    return heldBack ? Math.min(ms, heldBackLookMs) : ms;
  }

  /** The current row limit of a batch. */
  int rows() {
    return limit.rows();
  }

  /**
   * Decides when a batch is sent: when it is full, or a timeout after its first row was seen. Not
   * safe for several threads.
   */
  static final class FlushTimer {
    private static final long NONE = -1;

    private long sinceMs;
    private boolean waiting;

    /**
     * Updates the timer with the waiting rows.
     *
     * @param rows number of rows that could be sent
     * @param full whether the batch is full, by rows or by bytes
     * @return whether to send them now
     */
    boolean isDue(int rows, boolean full, long timeoutMs, long nowMs) {
      if (rows == 0) {
        waiting = false;
        return false;
      }
      if (!waiting) {
        waiting = true;
        sinceMs = nowMs;
      }
      return full || nowMs - sinceMs >= timeoutMs;
    }

    /** A batch was sent; remaining rows have waited already. */
    void sent(boolean more, long nowMs) {
      waiting = more;
      sinceMs = more ? Math.min(sinceMs, nowMs) : nowMs;
    }

    /** Time until the seen rows are sent at the latest; -1 if none wait. */
    long dueInMs(long timeoutMs, long nowMs) {
      return waiting ? Math.max(0, sinceMs + timeoutMs - nowMs) : NONE;
    }
  }
}

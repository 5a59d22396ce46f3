package io.weir.internal.topology;

import java.util.function.LongSupplier;

/**
 * Decides when a stream thread commits. Kafka Streams' interval is longer and only covers a thread
 * that nobody asks.
 *
 * <p>A record that was applied is committed when the interval is over. The latency of a window is
 * mostly its commit: what was emitted is committed {@value #WAIT_MS} ms after the commit before it,
 * or a quarter of the interval after it if that is more. A thread may also commit {@value #BURST}
 * times in a row with a fifth of that time between two commits, and gets one more such commit back
 * each {@value #WAITS_EACH} times that time; but not while it reads records that were appended more
 * than {@value #MOST_BEHIND_MS} ms ago: in a backlog nobody waits for half a second.
 *
 * <p>In a backlog a commit takes at most a fifth of a thread's time: the next one begins {@value
 * #RESTS} times as long after it as it took, at most {@value #LONGEST_REST_MS} ms and a third of
 * the transaction timeout. So brokers that answer slowly do not make the work of each commit small.
 *
 * <p>Thread-safe; each thread has a separate budget, because a commit covers all tasks of a thread.
 */
public final class CommitPace {
  /** Commits come when Kafka Streams' interval is over, and never before. */
  public static final CommitPace NONE =
      new CommitPace(() -> 0, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

  /** What was emitted waits so long for a commit, unless the commit interval is shorter. */
  private static final long WAIT_MS = 500;

  /** Or this part of the interval. */
  private static final int WAIT_OF_INTERVAL = 4;

  /** So many commits may come sooner, one after another. */
  public static final int BURST = 10;

  /** Commits are at least this part of the wait apart. */
  public static final int APART = 5;

  /** After so many waits one more commit may come sooner. */
  public static final int WAITS_EACH = 2;

  /** A record that was appended longer ago is of a backlog. */
  static final long MOST_BEHIND_MS = 2_000;

  /** In a backlog the time to the next commit is this many times what the last one took. */
  static final int RESTS = 4;

  /** But no longer: an open transaction makes its readers wait. */
  public static final long LONGEST_REST_MS = 10_000;

  /** And no longer than this part of the transaction timeout. */
  private static final int REST_OF_TIMEOUT = 3;

  private final LongSupplier elapsedMs;
  private final int burst;
  private final long intervalMs;
  private final long longestRestMs;
  private final long waitMs;
  private final long apartMs;
  private final long eachMs;
  private final ThreadLocal<Budget> budgets;

  /**
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   * @param intervalMs between two commits that no emission asks for, 0 or more
   * @param transactionTimeoutMs of the producers
   */
  public CommitPace(LongSupplier elapsedMs, long intervalMs, long transactionTimeoutMs) {
    this(
        elapsedMs,
        intervalMs,
        waitMs(intervalMs),
        Math.min(LONGEST_REST_MS, transactionTimeoutMs / REST_OF_TIMEOUT),
        BURST);
  }

  private CommitPace(
      LongSupplier elapsedMs, long intervalMs, long waitMs, long longestRestMs, int burst) {
    this.elapsedMs = elapsedMs;
    this.burst = burst;
    this.intervalMs = intervalMs;
    this.longestRestMs = longestRestMs;
    this.waitMs = waitMs;
    apartMs = waitMs / APART;
    eachMs = burst == 0 ? Long.MAX_VALUE : Math.max(1, waitMs * WAITS_EACH);
    budgets = ThreadLocal.withInitial(() -> new Budget(elapsedMs.getAsLong()));
  }

  /**
   * How long after a commit the next one is due where something was emitted, in milliseconds.
   *
   * @param intervalMs between two commits that nothing asks for
   */
  public static long waitMs(long intervalMs) {
    return Math.min(intervalMs, Math.max(WAIT_MS, intervalMs / WAIT_OF_INTERVAL));
  }

  /** The calling thread emitted something that readers wait for. */
  public void emitted() {
    budgets.get().waits = true;
  }

  /**
   * The calling thread applied a record.
   *
   * @param behindMs how long ago the record was appended
   * @return whether a commit is to be asked for now; counts as asked for if so
   */
  boolean isDueAfter(long behindMs) {
    Budget budget = budgets.get();
    budget.behind = behindMs > MOST_BEHIND_MS;
    budget.changed = intervalMs != Long.MAX_VALUE;
    return budget.isDue();
  }

  /** Whether the calling thread is to ask for a commit now; counts as asked for if so. */
  boolean isDue() {
    return budgets.get().isDue();
  }

  /**
   * In how many milliseconds the calling thread is to look whether a commit is due, if no record
   * comes before; 0 where nothing waits, or where it looks no later than that anyway.
   */
  long lookInMs() {
    return budgets.get().lookInMs();
  }

  /** The calling thread has begun to commit; called again by each of its tasks. */
  public void begun() {
    Budget budget = budgets.get();
    if (!budget.begun) {
      budget.begun = true;
      budget.begunMs = elapsedMs.getAsLong();
    }
  }

  /** A transaction of the calling thread was committed, early or not. */
  public void committed() {
    Budget budget = budgets.get();
    long nowMs = elapsedMs.getAsLong();
    budget.restMs = budget.begun ? Math.min(longestRestMs, RESTS * (nowMs - budget.begunMs)) : 0;
    budget.end();
    budget.committedMs = nowMs;
  }

  /** A transaction of the calling thread was aborted: what it emitted will be emitted again. */
  public void aborted() {
    budgets.get().end();
  }

  private final class Budget {
    /** Something was emitted since the last commit. */
    private boolean waits;

    /** A record was applied since the last commit. */
    private boolean changed;

    /** Streams carries out what one task asked for when all have had their turn. */
    private boolean asked;

    /** The last record was of a backlog. */
    private boolean behind;

    /** When somebody looks, whatever comes. */
    private long looksMs = Long.MIN_VALUE;

    private int left = burst;
    private long countedMs;
    private long committedMs;

    private boolean begun;
    private long begunMs;

    /** How long after the last commit the next one begins at the earliest, in a backlog. */
    private long restMs;

    Budget(long nowMs) {
      countedMs = nowMs;
      committedMs = nowMs - apartMs;
    }

    boolean isDue() {
      if (asked || !waits && !changed) {
        return false;
      }
      long nowMs = elapsedMs.getAsLong();
      long sinceMs = nowMs - committedMs;
      asked = sinceMs >= dueAfterMs() || waits && !behind && sinceMs >= apartMs && take(nowMs);
      return asked;
    }

    /** How long after the last commit the next one is due, if none is early. */
    private long dueAfterMs() {
      long dueMs = waits ? Math.min(waitMs, intervalMs) : intervalMs;
      return behind ? Math.max(dueMs, restMs) : dueMs;
    }

    private boolean take(long nowMs) {
      long back = (nowMs - countedMs) / eachMs;
      left = (int) Math.min(burst, left + back);
      countedMs += back * eachMs;
      if (left == 0) {
        return false;
      }
      left--;
      return true;
    }

    long lookInMs() {
      if (asked || !waits && !changed) {
        return 0;
      }
      long nowMs = elapsedMs.getAsLong();
      boolean early = waits && left > 0 && !behind && nowMs - committedMs < apartMs;
      long dueMs = committedMs + (early ? apartMs : dueAfterMs());
      long lookMs = Math.max(nowMs + 1, dueMs);
      if (looksMs > nowMs && looksMs <= lookMs) {
        return 0;
      }
      looksMs = lookMs;
      return lookMs - nowMs;
    }

    void end() {
      waits = false;
      changed = false;
      begun = false;
      asked = false;
      looksMs = Long.MIN_VALUE;
    }
  }
}

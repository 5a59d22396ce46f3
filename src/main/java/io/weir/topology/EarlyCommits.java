package io.weir.topology;

import java.util.function.LongSupplier;

/**
 * Requests commits before the commit interval ends if windows were emitted, because the latency of
 * a window is mostly its commit. Other commits keep the interval.
 *
 * <p>What was emitted is committed {@value #WAIT_MS} ms after the commit before it, or a quarter of
 * the interval after it if that is more. A stream thread may also commit {@value #BURST} times in a
 * row with a fifth of that time between two commits, and gets one more such commit back each
 * {@value #WAITS_EACH} times that time; but not while it reads records that were appended more than
 * {@value #MOST_BEHIND_MS} ms ago: in a backlog nobody waits for half a second.
 *
 * <p>Thread-safe; each thread has a separate budget, because a commit covers all tasks of a thread.
 */
public final class EarlyCommits {
  /** Commits come when the interval is over, and never before. */
  public static final EarlyCommits NONE = new EarlyCommits(() -> 0, Long.MAX_VALUE, 0);

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

  private final LongSupplier elapsedMs;
  private final int burst;
  private final long waitMs;
  private final long apartMs;
  private final long eachMs;
  private final ThreadLocal<Budget> budgets;

  /**
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   * @param intervalMs between two commits that nothing asks for, 0 or more
   */
  public EarlyCommits(LongSupplier elapsedMs, long intervalMs) {
    this(elapsedMs, waitMs(intervalMs), BURST);
  }

  private EarlyCommits(LongSupplier elapsedMs, long waitMs, int burst) {
    this.elapsedMs = elapsedMs;
    this.burst = burst;
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
    return budget.isDue();
  }

  /** Whether the calling thread is to ask for a commit now; counts as asked for if so. */
  boolean isDue() {
    return budgets.get().isDue();
  }

  /**
   * In how many milliseconds the calling thread is to look whether a commit is due, if no record
   * comes before; 0 where nothing waits, or where it was said before and is not over.
   */
  long lookInMs() {
    return budgets.get().lookInMs();
  }

  /** A transaction of the calling thread was committed, early or not. */
  public void committed() {
    Budget budget = budgets.get();
    budget.end();
    budget.committedMs = elapsedMs.getAsLong();
  }

  /** A transaction of the calling thread was aborted: what it emitted will be emitted again. */
  public void aborted() {
    budgets.get().end();
  }

  private final class Budget {
    private boolean waits;

    /** Streams carries out what one task asked for when all have had their turn. */
    private boolean asked;

    /** The last record was of a backlog. */
    private boolean behind;

    /** When somebody looks, whatever comes. */
    private long looksMs = Long.MIN_VALUE;

    private int left = burst;
    private long countedMs;
    private long committedMs;

    Budget(long nowMs) {
      countedMs = nowMs;
      committedMs = nowMs - apartMs;
    }

    boolean isDue() {
      if (!waits || asked) {
        return false;
      }
      long nowMs = elapsedMs.getAsLong();
      long sinceMs = nowMs - committedMs;
      asked = sinceMs >= waitMs || !behind && sinceMs >= apartMs && take(nowMs);
      return asked;
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
      long nowMs = elapsedMs.getAsLong();
      if (!waits || asked || looksMs > nowMs) {
        return 0;
      }
      long sinceMs = nowMs - committedMs;
      long inMs = (left > 0 && !behind && sinceMs < apartMs ? apartMs : waitMs) - sinceMs;
      looksMs = nowMs + Math.max(1, inMs);
      return looksMs - nowMs;
    }

    void end() {
      waits = false;
      asked = false;
      looksMs = Long.MIN_VALUE;
    }
  }
}

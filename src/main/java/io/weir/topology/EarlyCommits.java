package io.weir.topology;

import java.util.function.LongSupplier;

/**
 * When a commit comes before the commit interval is over: where something was emitted that readers
 * wait for. Most of what a window waits for is its commit; most commits hold nothing that was
 * emitted, and stay as rare as the interval makes them.
 *
 * <p>What was emitted is committed {@value #WAIT_MS} ms after the commit before it at the latest. A
 * stream thread may also commit {@value #BURST} times in a row with a fifth of that time between
 * two commits, and gets one more such commit back each {@value #WAITS_EACH} times that time. None
 * comes early while records are read that were appended more than {@value #MOST_BEHIND_MS} ms ago:
 * in a backlog nobody waits for half a second.
 *
 * <p>Safe for many threads, each of which has its own budget; a commit is of all tasks of a thread.
 */
public final class EarlyCommits {
  /** Commits come when the interval is over, and never before. */
  public static final EarlyCommits NONE = new EarlyCommits(() -> 0, Long.MAX_VALUE, 0);

  /** What was emitted waits so long for a commit, unless the commit interval is shorter. */
  public static final long WAIT_MS = 500;

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
    this(elapsedMs, Math.min(intervalMs, WAIT_MS), BURST);
  }

  private EarlyCommits(LongSupplier elapsedMs, long waitMs, int burst) {
    this.elapsedMs = elapsedMs;
    this.burst = burst;
    this.waitMs = waitMs;
    apartMs = waitMs / APART;
    eachMs = burst == 0 ? Long.MAX_VALUE : Math.max(1, waitMs * WAITS_EACH);
    budgets = ThreadLocal.withInitial(() -> new Budget(elapsedMs.getAsLong()));
  }

  /** The calling thread emitted something that readers wait for. */
  public void emitted() {
    budgets.get().waits = true;
  }

  /**
   * Whether the calling thread is to ask for a commit now; counts as asked for if so.
   *
   * @param behindMs how long ago the record at hand was appended
   */
  boolean isDue(long behindMs) {
    Budget budget = budgets.get();
    if (!budget.waits || budget.asked || behindMs > MOST_BEHIND_MS) {
      return false;
    }
    budget.asked = budget.isDue(elapsedMs.getAsLong());
    return budget.asked;
  }

  /** A transaction of the calling thread was committed, early or not. */
  public void committed() {
    Budget budget = budgets.get();
    budget.waits = false;
    budget.asked = false;
    budget.committedMs = elapsedMs.getAsLong();
  }

  private final class Budget {
    private boolean waits;

    /** Streams carries out what one task asked for when all have had their turn. */
    private boolean asked;

    private int left = burst;
    private long countedMs;
    private long committedMs;

    Budget(long nowMs) {
      countedMs = nowMs;
      committedMs = nowMs - apartMs;
    }

    boolean isDue(long nowMs) {
      long sinceMs = nowMs - committedMs;
      return sinceMs >= waitMs || sinceMs >= apartMs && take(nowMs);
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
  }
}

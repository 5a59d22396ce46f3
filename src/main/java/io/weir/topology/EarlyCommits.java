package io.weir.topology;

import java.util.function.LongSupplier;

/**
 * When a commit comes before the commit interval is over: where something was emitted that readers
 * wait for. Most of what a window waits for is its commit; most commits hold nothing that was
 * emitted, and stay as rare as the interval makes them.
 *
 * <p>A stream thread may commit early {@value #BURST} times in a row, a fifth of the interval
 * apart, and gets one more back each {@value #INTERVALS_EACH} intervals: where something is emitted
 * all the time, commits are half as often again at the most. None comes early while records are
 * read that were appended more than {@value #MOST_BEHIND_MS} ms ago: in a backlog nobody waits for
 * half a second.
 *
 * <p>Safe for many threads, each of which has its own budget; a commit is of all tasks of a thread.
 */
public final class EarlyCommits {
  /** Commits come when the interval is over, and never before. */
  public static final EarlyCommits NONE = new EarlyCommits(() -> 0, 0, 0);

  /** So many commits may come early one after another. */
  static final int BURST = 10;

  /** Commits are at least this part of the interval apart. */
  static final int APART = 5;

  /** After so many intervals one more commit may come early. */
  static final int INTERVALS_EACH = 2;

  /** A record that was appended longer ago is of a backlog. */
  static final long MOST_BEHIND_MS = 2_000;

  private final LongSupplier elapsedMs;
  private final int burst;
  private final long apartMs;
  private final long eachMs;
  private final ThreadLocal<Budget> budgets;

  /**
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   * @param intervalMs between two commits, 0 or more
   */
  public EarlyCommits(LongSupplier elapsedMs, long intervalMs) {
    this(elapsedMs, intervalMs, BURST);
  }

  private EarlyCommits(LongSupplier elapsedMs, long intervalMs, int burst) {
    this.elapsedMs = elapsedMs;
    this.burst = burst;
    apartMs = intervalMs / APART;
    eachMs = Math.max(1, intervalMs * INTERVALS_EACH);
    budgets = ThreadLocal.withInitial(this::full);
  }

  private Budget full() {
    long nowMs = elapsedMs.getAsLong();
    return new Budget(burst, nowMs, nowMs - apartMs);
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
    return budget.take(elapsedMs.getAsLong());
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

    private int left;
    private long countedMs;
    private long committedMs;

    Budget(int left, long countedMs, long committedMs) {
      this.left = left;
      this.countedMs = countedMs;
      this.committedMs = committedMs;
    }

    boolean take(long nowMs) {
      long back = (nowMs - countedMs) / eachMs;
      left = (int) Math.min(burst, left + back);
      countedMs += back * eachMs;
      if (left == 0 || nowMs - committedMs < apartMs) {
        return false;
      }
      left--;
      asked = true;
      return true;
    }
  }
}

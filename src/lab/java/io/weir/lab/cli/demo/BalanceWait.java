package io.weir.lab.cli.demo;

import io.weir.lab.Balance;
import io.weir.topic.SensorPartition;
import java.time.Duration;

/**
 * Decides when to stop waiting for the rest: when the balance is whole, the application has read
 * everything but the newest ticks, and both have stayed so for a moment; or when nothing has moved
 * for long, or the time limit is reached. The caller passes the time. One thread.
 */
final class BalanceWait {
  /** What is to be done. */
  enum Decision {
    WAIT,
    WHOLE,
    GIVEN_UP
  }

  private static final long WHOLE_FOR_MS = 500;

  /**
   * While sensors are silent, each partition gets a tick a second, and a commit comes every two
   * seconds, on a loaded machine later.
   */
  private static final long TICKS = 5L * SensorPartition.COUNT;

  private final long timeoutMs;
  private long deadlineMs = Long.MAX_VALUE;
  private Balance lastBalance;
  private long lastBehind = -1;
  private long movedMs;

  /**
   * @param timeout how long nothing may move
   * @param nowMs the time, of any clock that the other methods go by as well
   */
  BalanceWait(Duration timeout, long nowMs) {
    this.timeoutMs = timeout.toMillis();
    this.movedMs = nowMs;
  }

  /** Gives up at that time at the latest. */
  void endBy(long timeMs) {
    deadlineMs = Math.min(deadlineMs, timeMs);
  }

  Decision observe(Balance balance, long lag, long nowMs) {
    long behind = lag <= TICKS ? 0 : lag;
    if (!balance.equals(lastBalance) || behind != lastBehind) {
      lastBalance = balance;
      lastBehind = behind;
      movedMs = nowMs;
    }
    long stillMs = nowMs - movedMs;
    if (balance.isWhole() && behind == 0 && stillMs >= WHOLE_FOR_MS) {
      return Decision.WHOLE;
    }
    return stillMs >= timeoutMs || nowMs >= deadlineMs ? Decision.GIVEN_UP : Decision.WAIT;
  }
}

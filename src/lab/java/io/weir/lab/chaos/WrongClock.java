package io.weir.lab.chaos;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/**
 * A wall clock with a configured error; durations measured with it are right. Safe for many
 * threads.
 */
public final class WrongClock implements Time {
  private volatile long errorMs;

  /** How far it is ahead from now on; below 0 for behind. */
  public void wrongBy(long millis) {
    errorMs = millis;
  }

  @Override
  public long milliseconds() {
    return SYSTEM.milliseconds() + errorMs;
  }

  @Override
  public long hiResClockMs() {
    return SYSTEM.hiResClockMs();
  }

  @Override
  public long nanoseconds() {
    return SYSTEM.nanoseconds();
  }

  @Override
  public void sleep(long millis) {
    SYSTEM.sleep(millis);
  }

  /** The deadline is by this clock. */
  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
      throws InterruptedException {
    SYSTEM.waitObject(object, condition, deadlineMs - errorMs);
  }
}

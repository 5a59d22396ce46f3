package io.weir.edge;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WakeupTest {
  private final Wakeup wakeup = new Wakeup(TimeUnit.MILLISECONDS.toNanos(20));

  @Test
  void batchStarted_whileTheSleepIsLongerThanItsInterval_wakes() throws Exception {
    assertWakes(TimeUnit.HOURS.toNanos(1));
  }

  @Test
  void batchStarted_whileNothingIsWaitedFor_wakes() throws Exception {
    assertWakes(Long.MAX_VALUE);
  }

  @Test
  void ring_beforeTheSleep_isRemembered() {
    wakeup.beforeWork();
    wakeup.wake();
    wakeup.sleep(TimeUnit.HOURS.toNanos(1));
  }

  /** Somebody who sleeps so long is woken by batches that are started, or this never returns. */
  private void assertWakes(long sleepNanos) throws InterruptedException {
    Thread sleeper =
        new Thread(
            () -> {
              wakeup.beforeWork();
              wakeup.sleep(sleepNanos);
            });
    sleeper.setDaemon(true);
    sleeper.start();
    while (sleeper.isAlive()) {
      wakeup.wakeIfIdle();
      sleeper.join(1);
    }
  }
}

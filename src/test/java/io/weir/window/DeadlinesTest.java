package io.weir.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  @Test
  void sensors_comeNeverEarlyAndLateByLessThanAStep() {
    Seeds.forEach(300, DeadlinesTest::history);
  }

  private static void history(Random random) {
    long spanMs = 1 + random.nextInt(random.nextBoolean() ? 2_000 : 90_000_000);
    long stepMs = Math.max(1, Math.min(1000, spanMs / 256));
    Deadlines deadlines = new Deadlines(spanMs);
    Map<SensorWindows, Long> due = new IdentityHashMap<>();
    long nowMs = random.nextInt(3) == 0 ? -spanMs : 1_700_000_000_000L;
    for (int step = 0; step < 300; step++) {
      SensorWindows sensor = new SensorWindows(new byte[0], 0);
      long dueMs = nowMs + (long) (random.nextDouble() * spanMs * 1.2) - spanMs / 10;
      deadlines.add(sensor, dueMs);
      due.put(sensor, dueMs);
      nowMs += random.nextInt(10) == 0 ? (long) (random.nextDouble() * spanMs) : stepMs / 2;
      SensorWindows polled;
      while ((polled = deadlines.poll(nowMs)) != null) {
        assertThat(due.remove(polled)).isNotNull().isLessThanOrEqualTo(nowMs);
      }
      for (long waitingMs : due.values()) {
        assertThat(nowMs - waitingMs).isLessThan(stepMs);
      }
    }
    deadlines.clear();
    assertThat(deadlines.poll(Long.MAX_VALUE)).isNull();
  }
}

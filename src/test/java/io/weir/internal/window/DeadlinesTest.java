package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  @Test
  void sensors_comeWhenTheyAreDue_inTheOrderOfTimeAndId_howeverTheirTimesMoveOn() {
    Seeds.forEach(300, random -> new History(random).run());
  }

  /** Each sensor is due once; many due times move on while it waits, some to never. */
  private static final class History {
    private final Random random;
    private final long spanMs;
    private final Map<SensorWindows, Long> due = new IdentityHashMap<>();
    private final Deadlines deadlines;
    private long nowMs;
    private int ids;

    History(Random random) {
      this.random = random;
      spanMs = 1 + random.nextInt(random.nextBoolean() ? 2_000 : 90_000_000);
      deadlines = new Deadlines(spanMs, due::get);
      nowMs = random.nextInt(3) == 0 ? -spanMs : 1_700_000_000_000L;
    }

    void run() {
      for (int step = 0; step < 300; step++) {
        byte[] id = ByteBuffer.allocate(4).putInt(ids++).array();
        SensorWindows sensor = new SensorWindows(id, 0);
        due.put(sensor, nowMs + (long) (random.nextDouble() * spanMs * 1.2) - spanMs / 10);
        deadlines.add(sensor);
        due.replaceAll((waiting, dueMs) -> moved(dueMs));
        nowMs += random.nextInt(10) == 0 ? (long) (random.nextDouble() * spanMs) : spanMs / 512;
        assertThat(polled()).containsExactlyElementsOf(expected());
        due.values().removeIf(dueMs -> dueMs <= nowMs);
      }
      deadlines.clear();
      assertThat(deadlines.isEmpty()).isTrue();
      assertThat(deadlines.poll(Long.MAX_VALUE)).isNull();
    }

    private long moved(long dueMs) {
      if (dueMs == Deadlines.NEVER || random.nextInt(20) > 0) {
        return dueMs;
      }
      return random.nextInt(10) == 0 ? Deadlines.NEVER : dueMs + random.nextInt(1000);
    }

    private List<SensorWindows> expected() {
      return due.entrySet().stream()
          .filter(sensor -> sensor.getValue() <= nowMs)
          .sorted(
              Map.Entry.<SensorWindows, Long>comparingByValue()
                  .thenComparing(
                      Comparator.comparing(
                          sensor -> sensor.getKey().id(), Arrays::compareUnsigned)))
          .map(Map.Entry::getKey)
          .toList();
    }

    private List<SensorWindows> polled() {
      List<SensorWindows> polled = new ArrayList<>();
      for (SensorWindows next; (next = deadlines.poll(nowMs)) != null; ) {
        polled.add(next);
      }
      return polled;
    }
  }
}

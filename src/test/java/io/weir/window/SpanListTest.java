package io.weir.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SpanListTest {
  private static final int MANY = 600_000;

  private final SpanList<Window> list = new SpanList<>();
  private final TreeMap<Long, Window> model = new TreeMap<>();

  private void put(long startMs) {
    Window window = new Window(startMs, null);
    list.put(window);
    model.put(startMs, window);
  }

  private void assertAgrees() {
    assertThat(list.size()).isEqualTo(model.size());
    int i = 0;
    for (Map.Entry<Long, Window> entry : model.entrySet()) {
      assertThat(list.get(i)).isSameAs(entry.getValue());
      i++;
    }
    if (!model.isEmpty()) {
      assertThat(list.newest()).isSameAs(model.lastEntry().getValue());
    }
  }

  private void assertFinds(long startMs) {
    assertThat(list.find(startMs)).isSameAs(model.get(startMs));
    assertThat(list.indexFrom(startMs)).isEqualTo(model.headMap(startMs).size());
  }

  @Test
  void anyHistory_agreesWithATreeMap() {
    Seeds.forEach(300, random -> new SpanListTest().history(random));
  }

  private void history(Random random) {
    int range = random.nextBoolean() ? 12 : 400;
    int shape = random.nextInt(4);
    long at = 0;
    for (int step = 0; step < 400; step++) {
      at += shape == 0 ? 10 : shape == 1 ? -10 : 0;
      long startMs = at + 10L * random.nextInt(shape < 2 ? 3 : range);
      switch (random.nextInt(shape == 3 ? 3 : 8)) {
        case 0 -> {
          if (!model.isEmpty()) {
            assertThat(list.removeOldest()).isSameAs(model.pollFirstEntry().getValue());
          }
        }
        case 1 -> {
          list.remove(startMs);
          model.remove(startMs);
        }
        default -> put(startMs);
      }
      assertFinds(startMs);
      assertFinds(startMs + 1);
      if (step % 20 == 0) {
        assertAgrees();
      }
    }
    assertAgrees();
  }

  @Test
  void queueThatMovesOn_agreesWithATreeMap() {
    for (int i = 0; i < 10_000; i++) {
      put(i);
      if (list.size() > 37) {
        assertThat(list.removeOldest()).isSameAs(model.pollFirstEntry().getValue());
      }
    }
    assertAgrees();
  }

  @Test
  void manyWindowsForwards_cost() {
    assertMany(i -> i);
  }

  @Test
  void manyWindowsBackwards_cost() {
    assertMany(i -> MANY - i);
  }

  @Test
  void manyWindowsFromBothEnds_cost() {
    assertMany(i -> i % 2 == 0 ? i : -i);
  }

  /** Quadratic moves would take minutes: the test would be seen to stall. */
  private static void assertMany(LongUnaryOperator startMs) {
    SpanList<Window> many = new SpanList<>();
    for (long i = 0; i < MANY; i++) {
      many.put(new Window(startMs.applyAsLong(i), null));
    }
    assertThat(many.size()).isEqualTo(MANY);
    for (int i = 1; i < MANY; i++) {
      if (many.get(i - 1).startMs() >= many.get(i).startMs()) {
        throw new AssertionError("out of order at " + i);
      }
    }
    for (int i = 0; i < MANY; i++) {
      many.removeOldest();
    }
    assertThat(many.size()).isZero();
  }
}

package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SpanListTest {
  private static final int MANY = 600_000;

  /** A list as the model asks for it. */
  private static final class Tested implements WindowListModel.Tested {
    private final SpanList<Window> list = new SpanList<>();

    @Override
    public void put(Window window) {
      list.put(window);
    }

    @Override
    public int size() {
      return list.size();
    }

    @Override
    public Window get(int index) {
      return list.get(index);
    }

    @Override
    public Window newest() {
      return list.newest();
    }

    @Override
    public Window find(long startMs) {
      return list.find(startMs);
    }

    @Override
    public int indexFrom(long startMs) {
      return list.indexFrom(startMs);
    }

    @Override
    public Window removeOldest() {
      return list.removeOldest();
    }

    @Override
    public void remove(long startMs) {
      list.remove(startMs);
    }
  }

  @Test
  void anyHistory_agreesWithATreeMap() {
    Seeds.forEach(300, random -> new WindowListModel(new Tested()).history(random));
  }

  @Test
  void queueThatMovesOn_agreesWithATreeMap() {
    new WindowListModel(new Tested()).moveOn(37);
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

package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Windows in the order of their starts, compared with a tree. */
final class WindowListModel {
  private final Tested list;
  private final TreeMap<Long, Window> model = new TreeMap<>();

  /** What both kinds of lists do. */
  interface Tested {
    void put(Window window);

    int size();

    Window get(int index);

    Window newest();

    Window find(long startMs);

    int indexFrom(long startMs);

    Window removeOldest();

    void remove(long startMs);
  }

  WindowListModel(Tested list) {
    this.list = list;
  }

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

  /** Puts, removes and finds some hundred times, and compares all the time. */
  void history(Random random) {
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

  /** Puts ever newer ones and removes the oldest. */
  void moveOn(int most) {
    for (int i = 0; i < 10_000; i++) {
      put(i);
      if (list.size() > most) {
        assertThat(list.removeOldest()).isSameAs(model.pollFirstEntry().getValue());
      }
    }
    assertAgrees();
  }
}

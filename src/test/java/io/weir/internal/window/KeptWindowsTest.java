package io.weir.internal.window;

import io.weir.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptWindowsTest {
  /** A sensor as the model asks for it. */
  private static final class Tested implements WindowListModel.Tested {
    private final SensorWindows sensor = new SensorWindows(new byte[] {'a'}, 1);

    @Override
    public void put(Window window) {
      sensor.put(window);
    }

    @Override
    public int size() {
      return sensor.windows();
    }

    @Override
    public Window get(int index) {
      return sensor.window(index);
    }

    @Override
    public Window newest() {
      return sensor.newestWindow();
    }

    @Override
    public Window find(long startMs) {
      return sensor.find(startMs);
    }

    @Override
    public int indexFrom(long startMs) {
      return sensor.indexFrom(startMs);
    }

    @Override
    public Window removeOldest() {
      return sensor.removeOldest();
    }

    @Override
    public void remove(long startMs) {
      sensor.remove(startMs);
    }
  }

  @Test
  void anyHistory_agreesWithATreeMap() {
    Seeds.forEach(300, random -> new WindowListModel(new Tested()).history(random));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 37})
  void queueThatMovesOn_agreesWithATreeMap(int most) {
    new WindowListModel(new Tested()).moveOn(most);
  }
}

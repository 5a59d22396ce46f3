package io.weir.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.group.GroupWindow.Name;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One writer's windows against those of its neighbours. */
class GroupSharesTest {
  private static final long MINUTE = 60_000;

  private final List<Name> droppedEarly = new ArrayList<>();
  private long logMs = MINUTE;
  private final Groups.Sink sink =
      new Groups.Sink() {
        @Override
        public void emit(Name window, GroupTotal total, int revision) {}

        @Override
        public void dropped(Name window, boolean early) {
          if (early) {
            droppedEarly.add(window);
          }
        }
      };

  private final Groups groups =
      new Groups(new GroupSpec(5_000, MINUTE, 60 * MINUTE, 1L << 40, 10, 1 << 20));

  @Test
  void windowsOfOneWriter_haveNoRoomAtTheCostOfAnothers() {
    assertThat(put("neighbour", 0, 1)).isEqualTo(Groups.Outcome.TAKEN);
    for (int window = 0; window < 20_000; window++) {
      put("hostile/" + window % 7, window * 1_000 * MINUTE, 2);
    }
    assertThat(droppedEarly).hasSizeGreaterThan(10_000);
    assertThat(droppedEarly).allMatch(window -> window.group().startsWith("hostile/"));
    assertThat(put("neighbour", 0, 1)).isEqualTo(Groups.Outcome.UNCHANGED);
    assertThat(put("neighbour", 0, 3)).isEqualTo(Groups.Outcome.TAKEN);
  }

  /** What was dropped of a neighbour does not begin again without its other sensors. */
  @Test
  void droppedWindowsOfOneWriter_forgetNotThoseOfAnother() {
    put("neighbour", 0, 1);
    logMs += 60 * MINUTE;
    groups.doDue(logMs, 10, sink);
    for (int group = 0; group < 5_000; group++) {
      put("hostile/" + group, group * 1_000 * MINUTE, 2);
    }
    assertThat(groups.marks().forgotten()).isNotEmpty().doesNotContain("neighbour");
    assertThat(put("neighbour", 0, 3)).isEqualTo(Groups.Outcome.WINDOW_DROPPED);
  }

  @Test
  void whereNobodyHasMoreThanAnEighth_theOldestGivesWay() {
    for (int window = 0; droppedEarly.isEmpty(); window++) {
      put("writer-" + window % 20, window * MINUTE, 2);
    }
    assertThat(droppedEarly).containsExactly(new Name("writer-0", 0, MINUTE));
  }

  private Groups.Outcome put(String group, long startMs, double value) {
    SensorPart part = new SensorPart(1, 0, value, new double[0], value, value);
    return groups.put(new Name(group, startMs, startMs + MINUTE), group, part, logMs, sink);
  }
}

package io.weir.internal.app;

import io.weir.internal.window.aggregate.ExactAccumulator;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.util.List;

/** The summary of a group, by merging the summaries of its sensors. */
final class GroupMerge {
  private GroupMerge() {}

  static GroupSummary of(String group, List<WindowSummary> windows) {
    GroupSummary.Builder merged =
        GroupSummary.newBuilder()
            .setGroup(group)
            .setWindowStartMs(windows.get(0).getWindowStartMs())
            .setWindowEndMs(windows.get(0).getWindowEndMs())
            .setSensors(windows.size())
            .setMin(Double.POSITIVE_INFINITY)
            .setMax(Double.NEGATIVE_INFINITY);
    ExactAccumulator sum = new ExactAccumulator();
    windows.stream()
        .filter(window -> window.getCount() > 0)
        .sorted((a, b) -> a.getSensorId().compareTo(b.getSensorId()))
        .forEach(
            window -> {
              merged.setCount(merged.getCount() + window.getCount());
              sum.add(window.getSum());
              window.getSumRestList().forEach(sum::add);
              if (window.getMin() < merged.getMin()) {
                merged.setMin(window.getMin()).setMinSensorId(window.getSensorId());
              }
              if (window.getMax() > merged.getMax()) {
                merged.setMax(window.getMax()).setMaxSensorId(window.getSensorId());
              }
            });
    if (merged.getCount() == 0) {
      merged.clearMin().clearMax();
    }
    return merged.setSum(sum.toDouble()).build();
  }
}

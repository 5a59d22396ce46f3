package io.weir.internal.alarm;

import java.util.ArrayList;
import java.util.List;

/** The conditions of a sensor; sensors with the same conditions share one object. */
final class ConditionSet {
  private final List<Condition> all;
  private final Condition[] ofWindows;
  private final Condition[] ofSilence;
  private final BaselineSpec[] baselines;

  ConditionSet(List<Condition> conditions) {
    all = List.copyOf(conditions);
    ofWindows = all.stream().filter(Condition::isOfWindows).toArray(Condition[]::new);
    List<Condition> silence = new ArrayList<>(all);
    silence.removeIf(Condition::isOfWindows);
    ofSilence = silence.toArray(Condition[]::new);
    baselines =
        all.stream()
            .map(Condition::baseline)
            .filter(spec -> spec != null)
            .distinct()
            .toArray(BaselineSpec[]::new);
  }

  Condition find(String rule, Level level) {
    for (Condition each : all) {
      if (each.level() == level && each.rule().equals(rule)) {
        return each;
      }
    }
    return null;
  }

  Condition[] ofWindows() {
    return ofWindows;
  }

  Condition[] ofSilence() {
    return ofSilence;
  }

  /** The baselines of its deviations. */
  BaselineSpec[] baselines() {
    return baselines;
  }
}

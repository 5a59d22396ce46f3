package io.weir.internal.alarm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All conditions of a rules file, in its order. Immutable. */
public final class Rules {
  /** No rules. */
  public static final Rules NONE = new Rules(List.of());

  private final List<Condition> conditions;

  Rules(List<Condition> conditions) {
    this.conditions = List.copyOf(conditions);
  }

  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  public List<Condition> conditions() {
    return conditions;
  }

  /** The number of rules. */
  public long count() {
    return conditions.stream().map(Condition::rule).distinct().count();
  }

  /** Whether there is a rule with that name. */
  boolean has(String rule) {
    return conditions.stream().anyMatch(each -> each.rule().equals(rule));
  }

  /** The distinct durations of silence, in milliseconds. */
  List<Long> silencesMs() {
    return conditions.stream()
        .filter(each -> !each.isOfWindows())
        .map(Condition::silentAfterMs)
        .distinct()
        .toList();
  }

  /** Finds the conditions of a sensor; returns the same object for equal ones. Not thread-safe. */
  static final class Matcher {
    private final Rules rules;
    private final Map<List<Condition>, ConditionSet> sets = new HashMap<>();

    Matcher(Rules rules) {
      this.rules = rules;
    }

    ConditionSet of(String sensorId) {
      List<Condition> matching =
          rules.conditions.stream().filter(each -> each.sensors().fits(sensorId)).toList();
      return sets.computeIfAbsent(matching, ConditionSet::new);
    }
  }
}

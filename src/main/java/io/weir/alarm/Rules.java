package io.weir.alarm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All conditions of a file of rules, in its order. Immutable. */
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

  /** How many rules there are. */
  public long count() {
    return conditions.stream().map(Condition::rule).distinct().count();
  }

  /** Whether there is a rule of that name. */
  boolean has(String rule) {
    return conditions.stream().anyMatch(each -> each.rule().equals(rule));
  }

  /** Different silences in milliseconds after which something is due. */
  List<Long> silencesMs() {
    return conditions.stream()
        .filter(each -> !each.isOfWindows())
        .map(Condition::silentAfterMs)
        .distinct()
        .toList();
  }

  /**
   * Finds the conditions of a sensor; returns the same object for equal ones. Not safe for threads.
   */
  static final class Matcher {
    private final Rules rules;
    private final Map<List<Condition>, ConditionSet> sets = new HashMap<>();

    Matcher(Rules rules) {
      this.rules = rules;
    }

    ConditionSet of(String sensorId) {
      List<Condition> own =
          rules.conditions.stream().filter(each -> each.sensors().fits(sensorId)).toList();
      return sets.computeIfAbsent(own, ConditionSet::new);
    }
  }
}

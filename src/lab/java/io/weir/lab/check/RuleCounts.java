package io.weir.lab.check;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Counts, for each rule, the records that it was applied to and those that broke it. One thread.
 */
final class RuleCounts {
  private final Map<Rule, RuleResult> results = new EnumMap<>(Rule.class);

  RuleCounts() {
    Arrays.stream(Rule.values()).forEach(rule -> results.put(rule, RuleResult.none(rule)));
  }

  RuleCounts copy() {
    RuleCounts copy = new RuleCounts();
    copy.results.putAll(results);
    return copy;
  }

  /**
   * Counts a record.
   *
   * @param fault in what it broke the rule; empty where it kept it
   */
  void count(Rule rule, ConsumerRecord<?, ?> record, Optional<String> fault) {
    fault.ifPresentOrElse(
        reason -> broken(rule, new Offence(record.partition(), record.offset(), reason)),
        () -> kept(rule, 1));
  }

  /** Counts records that kept a rule. */
  void kept(Rule rule, long records) {
    results.computeIfPresent(rule, (same, result) -> result.kept(records));
  }

  /** Counts a record that broke a rule. */
  void broken(Rule rule, Offence offence) {
    results.computeIfPresent(rule, (same, result) -> result.broken(offence));
  }

  /** In the order of the rules. */
  List<RuleResult> results() {
    return List.copyOf(results.values());
  }
}

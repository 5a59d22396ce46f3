package io.weir.topic;

import io.weir.topic.TopicDifference.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/** Holds a topic of the cluster against its plan. */
final class TopicComparison {
  private final TopicSettings plan;
  private final boolean isReadings;
  private final List<TopicDifference> differences = new ArrayList<>();

  private TopicComparison(TopicSettings plan, boolean isReadings) {
    this.plan = plan;
    this.isReadings = isReadings;
  }

  /** What to say of a topic that is not there. */
  static TopicDifference missing(TopicSettings plan) {
    return new TopicDifference(
        plan.name(),
        Severity.FATAL,
        "no such topic",
        plan.partitions() + " partitions",
        "create it with: weir topics");
  }

  /**
   * Every difference of a topic, the fatal ones first.
   *
   * @param isReadings whether its timestamps are the clock that Weir goes by
   */
  static List<TopicDifference> compare(
      TopicSettings plan, boolean isReadings, TopicDescription found, Map<String, String> config) {
    TopicComparison comparison = new TopicComparison(plan, isReadings);
    comparison.comparePartitions(found.partitions().size());
    comparison.compareReplicas(
        found.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0));
    new TreeMap<>(plan.config())
        .forEach((name, expected) -> comparison.compareConfig(name, config.get(name), expected));
    comparison.differences.sort((a, b) -> a.severity().compareTo(b.severity()));
    return comparison.differences;
  }

  private void comparePartitions(int found) {
    if (found == plan.partitions()) {
      return;
    }
    String remedy =
        found < plan.partitions()
            ? "add the missing ones: kafka-topics.sh --alter --topic "
                + plan.name()
                + " --partitions "
                + plan.partitions()
            : "partitions cannot be taken away: name a topic that has "
                + plan.partitions()
                + " in weir.topic.*, or delete this one and run: weir topics";
    add(
        Severity.FATAL,
        found + (found == 1 ? " partition" : " partitions"),
        Integer.toString(plan.partitions()),
        remedy);
  }

  private void compareReplicas(int found) {
    if (found < plan.replicas()) {
      add(
          Severity.WARNING,
          found + (found == 1 ? " replica" : " replicas"),
          Integer.toString(plan.replicas()),
          "a lost broker loses data: add replicas with kafka-reassign-partitions.sh");
    }
  }

  private void compareConfig(String name, String found, String expected) {
    if (expected.equals(found)) {
      return;
    }
    boolean isClock = isReadings && name.equals(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    add(
        isClock ? Severity.FATAL : Severity.WARNING,
        name + "=" + found,
        expected,
        "set it with: kafka-configs.sh --alter --topic "
            + plan.name()
            + " --add-config "
            + name
            + "="
            + expected);
  }

  private void add(Severity severity, String found, String expected, String remedy) {
    differences.add(new TopicDifference(plan.name(), severity, found, expected, remedy));
  }
}

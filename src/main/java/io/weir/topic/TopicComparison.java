package io.weir.topic;

import io.weir.topic.TopicDifference.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/** Compares a topic of the cluster with its plan. */
final class TopicComparison {
  private static final Set<String> KEPT_FOR_EVER =
      Set.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.RETENTION_MS_CONFIG,
          TopicConfig.RETENTION_BYTES_CONFIG);

  /** More is no difference: longer retention, larger messages, more replicas in sync. */
  private static final Set<String> AT_LEAST =
      Set.of(
          TopicConfig.RETENTION_MS_CONFIG,
          TopicConfig.RETENTION_BYTES_CONFIG,
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
          TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);

  /** Less is no difference: the log is compacted sooner. */
  private static final Set<String> AT_MOST = RefusedSettings.OPTIMIZATIONS;

  private static final String UNLIMITED = "-1";

  /** The role of a topic decides which of its settings must match the plan exactly. */
  enum Role {
    /** Its append times are the clock, and records must not be compacted before they are read. */
    READINGS(Set.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TopicConfig.CLEANUP_POLICY_CONFIG)),
    OUTPUT(Set.of()),
    /** Any policy other than compaction would delete current values. */
    NEWEST(Set.of(TopicConfig.CLEANUP_POLICY_CONFIG)),
    /** Any policy other than compaction would delete state. */
    CHANGELOG(Set.of(TopicConfig.CLEANUP_POLICY_CONFIG)),
    /**
     * Kept for ever: without its order, a reset that was accepted would be refused on reprocessing.
     */
    RECORD(KEPT_FOR_EVER),
    /**
     * Kept for ever: without its mark, a record would be redriven and counted twice. Any number of
     * partitions is accepted.
     */
    MARKS(KEPT_FOR_EVER);

    private final Set<String> exact;

    Role(Set<String> exact) {
      this.exact = exact;
    }

    /** The role of a topic. */
    static Role of(Topic topic) {
      if (topic == Topic.READINGS) {
        return READINGS;
      }
      if (topic.isCompacted()) {
        return NEWEST;
      }
      return topic.retention().isEmpty() ? RECORD : OUTPUT;
    }
  }

  private final TopicSettings plan;
  private final Role role;
  private final Replication replication;
  private final List<TopicDifference> differences = new ArrayList<>();

  private TopicComparison(TopicSettings plan, Role role, Replication replication) {
    this.plan = plan;
    this.role = role;
    this.replication = replication;
  }

  /** The difference of a missing topic. */
  static TopicDifference missing(TopicSettings plan) {
    return new TopicDifference(
        plan.name(),
        Severity.FATAL,
        TopicDifference.MISSING,
        plan.partitions() + " partitions",
        "create it with: weir topics");
  }

  /** The difference of a missing topic that its program creates. */
  static TopicDifference notYet(TopicSettings plan) {
    return new TopicDifference(
        plan.name(),
        Severity.NOTE,
        TopicDifference.MISSING,
        plan.partitions() + " partitions",
        "its program creates it, if it has the right; or create it with: weir topics");
  }

  /** The difference of a topic that this user may not describe. */
  static TopicDifference hidden(TopicSettings plan) {
    return new TopicDifference(
        plan.name(),
        Severity.NOTE,
        TopicDifference.HIDDEN,
        plan.partitions() + " partitions",
        "this user needs DESCRIBE and DESCRIBE_CONFIGS to verify it");
  }

  /** All differences of a topic, fatal ones first. */
  static List<TopicDifference> compare(
      TopicSettings plan,
      Role role,
      Replication replication,
      TopicDescription found,
      Map<String, String> config) {
    TopicComparison comparison = new TopicComparison(plan, role, replication);
    comparison.comparePartitions(found.partitions().size());
    comparison.compareReplicas(
        found.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0));
    new TreeMap<>(plan.config())
        .forEach((name, expected) -> comparison.compareConfig(name, config.get(name), expected));
    comparison.differences.sort((a, b) -> a.severity().compareTo(b.severity()));
    return comparison.differences;
  }

  private void comparePartitions(int found) {
    // Marks are read from all existing partitions.
    if (found == plan.partitions() || role == Role.MARKS) {
      return;
    }
    if (role == Role.CHANGELOG) {
      add(
          Severity.FATAL,
          partitions(found),
          Integer.toString(plan.partitions()),
          "this changelog belongs to another application or was altered: start with a new "
              + "weir.application.id, which reads from the beginning");
      return;
    }
    String remedy =
        found < plan.partitions()
            ? "add the missing ones: kafka-topics.sh --alter --topic "
                + plan.name()
                + " --partitions "
                + plan.partitions()
            : "partitions cannot be removed: name a topic that has "
                + plan.partitions()
                + " in weir.topic.*, or delete this one and run: weir topics";
    add(Severity.FATAL, partitions(found), Integer.toString(plan.partitions()), remedy);
  }

  private static String partitions(int count) {
    return count + (count == 1 ? " partition" : " partitions");
  }

  /** Fatal if a setting requires the number; a warning if it is derived from the cluster. */
  private void compareReplicas(int found) {
    if (found < plan.replicas()) {
      add(
          replication.isSet() ? Severity.FATAL : Severity.WARNING,
          found + (found == 1 ? " replica" : " replicas"),
          plan.replicas() + " (" + replication.reason() + ")",
          "a lost broker loses data: add replicas with kafka-reassign-partitions.sh"
              + (replication.isSet() ? ", or set " + Replication.SETTING + "=" + found : ""));
    }
  }

  private void compareConfig(String name, String found, String expected) {
    if (expected.equals(found) || isBetter(name, found, expected)) {
      return;
    }
    add(
        severity(name, found),
        name + "=" + found,
        expected,
        "set it with: kafka-configs.sh --alter --topic "
            + plan.name()
            + " --add-config "
            + name
            + "="
            + expected);
  }

  /** A cloud that does not report a setting does not permit it either. */
  private Severity severity(String name, String found) {
    if (role.exact.contains(name)) {
      return Severity.FATAL;
    }
    return AT_MOST.contains(name) || found == null ? Severity.NOTE : Severity.WARNING;
  }

  private static boolean isBetter(String name, String found, String expected) {
    if (found == null || expected.equals(UNLIMITED)) {
      return false;
    }
    if (AT_LEAST.contains(name)) {
      return found.equals(UNLIMITED) || Long.parseLong(found) > Long.parseLong(expected);
    }
    return AT_MOST.contains(name) && Long.parseLong(found) < Long.parseLong(expected);
  }

  private void add(Severity severity, String found, String expected, String remedy) {
    differences.add(new TopicDifference(plan.name(), severity, found, expected, remedy));
  }
}

package io.weir.internal.topology;

import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.signing.SigningPolicy;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the topology is built from.
 *
 * @param topics the topics that are read and written
 * @param gateways what is accepted of gateways
 * @param windowLimits how many sensors a partition keeps, and windows a batch opens, at the most
 * @param maxFutureSkewMs how far an event time may be ahead of its record's append time
 * @param maxLateBytes largest record that the late topic takes
 * @param maxDeadLetterBytes largest record that the dead-letter topic takes
 * @param values the form of payloads as values
 * @param registryWait how long a record waits for a registry that does not answer
 * @param latest form of the topics with the last summary of each window
 * @param status sensor status and alarms
 * @param signing what is asked of the batches' signatures
 */
public record TopologySettings(
    TopicNames topics,
    WindowSpec window,
    Limits limits,
    GatewayRules gateways,
    WindowLimits windowLimits,
    long maxFutureSkewMs,
    int maxLateBytes,
    int maxDeadLetterBytes,
    ValueFormat values,
    WaitLimit registryWait,
    LatestForm latest,
    StatusPlan status,
    SigningPolicy signing) {
  /** The topics of summaries that are on. */
  List<Topic> summaries() {
    List<Topic> sources = new ArrayList<>(List.of(Topic.WINDOWS));
    if (window.rollups().isOn()) {
      sources.add(Topic.ROLLUPS);
    }
    if (window.hopping().isOn()) {
      sources.add(Topic.HOPPING);
    }
    return sources;
  }

  /** The topic with the last of each window, if it is on. */
  Optional<Topic> latestOf(Topic summaries) {
    return latest == LatestForm.OFF
        ? Optional.empty()
        : summaries.latest().filter(topics.topics()::contains);
  }

  /** Whether the status of sensors goes to a topic. */
  boolean sendsStatus() {
    return status.sendsStatus();
  }

  /**
   * Whether alarms go to the topic of events: without rules too, those that end with their rules.
   */
  boolean sendsAlarms() {
    return topics.topics().contains(Topic.EVENTS);
  }
}

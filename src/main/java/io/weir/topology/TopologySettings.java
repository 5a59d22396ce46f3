package io.weir.topology;

import io.weir.alarm.StatusPlan;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.registry.ValueFormat;
import io.weir.registry.WaitLimit;
import io.weir.signing.SigningPolicy;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;

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
    StatusPlan status,
    SigningPolicy signing) {

  /** As above, without status, alarms and signatures. */
  public TopologySettings(
      TopicNames topics,
      WindowSpec window,
      Limits limits,
      GatewayRules gateways,
      WindowLimits windowLimits,
      long maxFutureSkewMs,
      int maxLateBytes,
      int maxDeadLetterBytes,
      ValueFormat values,
      WaitLimit registryWait) {
    this(
        topics,
        window,
        limits,
        gateways,
        windowLimits,
        maxFutureSkewMs,
        maxLateBytes,
        maxDeadLetterBytes,
        values,
        registryWait,
        StatusPlan.OFF,
        SigningPolicy.OFF);
  }

  /** The same with status and alarms. */
  public TopologySettings with(StatusPlan plan) {
    return with(plan, signing);
  }

  /** The same with signatures. */
  public TopologySettings with(SigningPolicy policy) {
    return with(status, policy);
  }

  private TopologySettings with(StatusPlan plan, SigningPolicy policy) {
    return new TopologySettings(
        topics,
        window,
        limits,
        gateways,
        windowLimits,
        maxFutureSkewMs,
        maxLateBytes,
        maxDeadLetterBytes,
        values,
        registryWait,
        plan,
        policy);
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

package io.weir.topology;

import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.registry.ValueFormat;
import io.weir.registry.WaitLimit;
import io.weir.topic.TopicNames;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;

/**
 * What the topology is drawn from.
 *
 * @param topics the topics that are read and written
 * @param gateways what is accepted of gateways
 * @param windowLimits how many sensors a partition keeps, and windows a batch opens, at the most
 * @param maxFutureSkewMs how far an event time may be ahead of its record's append time
 * @param maxLateBytes largest record that the late topic takes
 * @param maxDeadLetterBytes largest record that the dead-letter topic takes
 * @param values how payloads stand as values
 * @param registryWait how long a record waits for a registry that does not answer
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
    WaitLimit registryWait) {}

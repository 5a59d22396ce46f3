package io.weir.internal.topology;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.topic.TopicNames;
import java.util.Optional;

/**
 * What the topology of events is built from.
 *
 * @param topics the topics that are read and written
 * @param timers how much may wait to come due
 * @param fold when events are folded; empty where they are not
 * @param groups how windows of groups are summarised; empty where they are not
 * @param limits of records; what holds for readings holds for events
 * @param gateways what is accepted of gateways
 * @param maxFutureSkewMs how far an event time may be ahead of its record's append time
 * @param maxDeadLetterBytes largest record that the dead-letter topic takes
 * @param values the form of payloads as values
 * @param registryWait how long a record waits for a registry that does not answer
 * @param senders who may send, and the keys with which Weir signs
 * @param partitions number of partitions of the topics of events
 */
public record EventSettings(
    TopicNames topics,
    TimerLimits timers,
    Optional<FoldSpec> fold,
    Optional<GroupSettings> groups,
    Limits limits,
    GatewayRules gateways,
    long maxFutureSkewMs,
    int maxDeadLetterBytes,
    ValueFormat values,
    WaitLimit registryWait,
    SenderRules senders,
    int partitions) {}

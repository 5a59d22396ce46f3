package io.weir.internal.serve.memory;

import io.weir.v1.GroupSummary;
import java.util.Optional;

/**
 * A group as it was at one moment.
 *
 * @param sensors that are known
 * @param silent of these
 * @param alarms that are active
 * @param newest its newest summary; empty without groups
 */
public record GroupView(
    String name, int sensors, int silent, int alarms, Optional<GroupSummary> newest) {}

package io.weir.internal.serve.memory;

import io.weir.v1.SensorState;
import java.util.Optional;

/**
 * Which sensors are asked for; they are in the order of their ids.
 *
 * @param prefix of the id; may be empty
 * @param contained text in the id; may be empty
 * @param alarmActive only those with an active alarm
 * @param after only ids behind this one; empty from the first on
 */
public record SensorQuery(
    String prefix,
    String contained,
    Optional<SensorState> state,
    Optional<String> group,
    boolean alarmActive,
    String after,
    int limit) {
  /** Whether it selects by nothing. */
  boolean isOfAll() {
    return prefix.isEmpty()
        && contained.isEmpty()
        && state.isEmpty()
        && group.isEmpty()
        && !alarmActive;
  }
}

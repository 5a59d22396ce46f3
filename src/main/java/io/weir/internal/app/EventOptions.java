package io.weir.internal.app;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of {@code weir events}.
 *
 * @param applicationId its name on the cluster
 * @param isOn whether events are enabled
 * @param timers limits of pending scheduled events
 * @param handlersMaxBytes memory limit of keys and states of handlers, of a partition
 * @param handlersMaxKeys number of keys of handlers, of a partition
 * @param handlersMaxWaitingBytes memory limit of events that wait for a handler, of a partition
 * @param fold settings of folds; empty if disabled
 * @param groupSize length of group windows
 * @param groups settings of groups; empty if disabled
 */
public record EventOptions(
    String applicationId,
    boolean isOn,
    TimerLimits timers,
    long handlersMaxBytes,
    int handlersMaxKeys,
    long handlersMaxWaitingBytes,
    Optional<FoldSpec> fold,
    Duration groupSize,
    Optional<GroupSpec> groups) {
  static EventOptions of(Settings settings) {
    FoldSpec spec =
        new FoldSpec(
            settings.get(EventKeys.FOLD_QUIET).toMillis(),
            settings.get(EventKeys.FOLD_MAX_HOLD).toMillis(),
            settings.get(EventKeys.FOLD_MAX_FIELDS),
            settings.get(EventKeys.FOLD_MAX_BYTES));
    return new EventOptions(
        settings.get(EventKeys.EVENTS_APPLICATION_ID),
        settings.get(EventKeys.EVENTS),
        TimerLimits.DEFAULT.withBytes(settings.get(EventKeys.TIMERS_MAX_BYTES)),
        settings.get(EventKeys.HANDLERS_MAX_BYTES),
        settings.get(EventKeys.HANDLERS_MAX_KEYS),
        settings.get(EventKeys.HANDLERS_MAX_WAITING_BYTES),
        settings.get(EventKeys.FOLD) ? Optional.of(spec) : Optional.empty(),
        settings.get(EventKeys.GROUPS_SIZE),
        settings.get(EventKeys.GROUPS) ? Optional.of(groups(settings)) : Optional.empty());
  }

  private static GroupSpec groups(Settings settings) {
    return new GroupSpec(
        settings.get(EventKeys.GROUPS_QUIET).toMillis(),
        settings.get(EventKeys.GROUPS_HOLD).toMillis(),
        settings.get(EventKeys.GROUPS_KEEP).toMillis(),
        settings.get(WindowKeys.MARK_TTL).toMillis(),
        settings.get(EventKeys.GROUPS_MAX_SENSORS),
        settings.get(EventKeys.GROUPS_MAX_BYTES));
  }
}

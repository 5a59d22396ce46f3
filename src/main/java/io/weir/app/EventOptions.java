package io.weir.app;

import io.weir.event.FoldSpec;
import io.weir.event.TimerLimits;
import io.weir.group.GroupSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * What {@code weir events} does.
 *
 * @param applicationId its name on the cluster
 * @param isOn whether there are events at all
 * @param timers how much may wait to come due
 * @param fold when events are folded; empty where they are not
 * @param groupSize length of the windows of groups; of use where there are groups
 * @param groups how windows of groups are summarised; empty where they are not
 */
public record EventOptions(
    String applicationId,
    boolean isOn,
    TimerLimits timers,
    Optional<FoldSpec> fold,
    Duration groupSize,
    Optional<GroupSpec> groups) {
  static EventOptions of(Settings settings) {
    FoldSpec spec =
        new FoldSpec(
            settings.get(Keys.FOLD_QUIET).toMillis(),
            settings.get(Keys.FOLD_MAX_HOLD).toMillis(),
            settings.get(Keys.FOLD_MAX_FIELDS),
            settings.get(Keys.FOLD_MAX_BYTES));
    return new EventOptions(
        settings.get(Keys.EVENTS_APPLICATION_ID),
        settings.get(Keys.EVENTS),
        TimerLimits.DEFAULT.withBytes(settings.get(Keys.TIMERS_MAX_BYTES)),
        settings.get(Keys.FOLD) ? Optional.of(spec) : Optional.empty(),
        settings.get(Keys.GROUPS_SIZE),
        settings.get(Keys.GROUPS) ? Optional.of(groups(settings)) : Optional.empty());
  }

  private static GroupSpec groups(Settings settings) {
    return new GroupSpec(
        settings.get(Keys.GROUPS_QUIET).toMillis(),
        settings.get(Keys.GROUPS_HOLD).toMillis(),
        settings.get(Keys.GROUPS_KEEP).toMillis(),
        settings.get(Keys.MARK_TTL).toMillis(),
        settings.get(Keys.GROUPS_MAX_SENSORS),
        settings.get(Keys.GROUPS_MAX_BYTES));
  }
}

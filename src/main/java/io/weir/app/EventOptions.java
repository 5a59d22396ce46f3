package io.weir.app;

import io.weir.event.FoldSpec;
import io.weir.event.TimerLimits;
import java.util.Optional;

/**
 * What {@code weir events} does.
 *
 * @param applicationId its name on the cluster
 * @param isOn whether there are events at all
 * @param timers how much may wait to come due
 * @param fold when events are folded; empty where they are not
 */
public record EventOptions(
    String applicationId, boolean isOn, TimerLimits timers, Optional<FoldSpec> fold) {
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
        settings.get(Keys.FOLD) ? Optional.of(spec) : Optional.empty());
  }
}

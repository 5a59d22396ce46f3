package io.weir.app;

import io.weir.event.FoldSpec;
import java.util.Optional;

/**
 * What {@code weir events} does.
 *
 * @param applicationId its name on the cluster
 * @param isOn whether there are events at all
 * @param fold when events are folded; empty where they are not
 */
public record EventOptions(String applicationId, boolean isOn, Optional<FoldSpec> fold) {
  static EventOptions of(Settings settings) {
    FoldSpec spec =
        new FoldSpec(
            settings.get(Keys.FOLD_QUIET).toMillis(),
            settings.get(Keys.FOLD_MAX_HOLD).toMillis(),
            settings.get(Keys.FOLD_MAX_FIELDS));
    return new EventOptions(
        settings.get(Keys.EVENTS_APPLICATION_ID),
        settings.get(Keys.EVENTS),
        settings.get(Keys.FOLD) ? Optional.of(spec) : Optional.empty());
  }
}

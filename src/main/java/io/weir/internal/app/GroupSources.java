package io.weir.internal.app;

import io.weir.internal.time.DurationText;
import io.weir.internal.topology.GroupSettings;
import io.weir.topic.Topic;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/** The sensor windows from which group windows are computed. */
final class GroupSources {
  private GroupSources() {}

  /**
   * Windows if weir.groups.size is their length, otherwise rollups; empty without groups.
   *
   * @throws ConfigException if neither has that length
   */
  static Optional<GroupSettings> settings(WeirConfig config) {
    return config
        .events()
        .groups()
        .map(
            spec ->
                new GroupSettings(
                    source(config),
                    config.events().groupSize().toMillis(),
                    config.status().group(),
                    spec,
                    config.events().applicationId()));
  }

  private static Topic source(WeirConfig config) {
    Duration size = config.events().groupSize();
    WindowSettings windows = config.windows();
    if (size.equals(windows.size())) {
      return Topic.WINDOWS;
    }
    if (windows.rollups().sizesMs().contains(size.toMillis())) {
      return Topic.ROLLUPS;
    }
    String rollups =
        windows.rollups().sizesMs().stream()
            .map(ms -> DurationText.format(Duration.ofMillis(ms)))
            .collect(Collectors.joining(","));
    throw new ConfigException(
        "%s=%s: expected: weir.window.size, %s, or one of"
                .formatted(
                    EventKeys.GROUPS_SIZE.propertyName(),
                    DurationText.format(size),
                    DurationText.format(windows.size()))
            + " weir.rollups, %s, set both as for weir run"
                .formatted(rollups.isEmpty() ? "which is none" : rollups));
  }
}

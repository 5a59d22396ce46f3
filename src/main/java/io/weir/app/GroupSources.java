package io.weir.app;

import io.weir.time.DurationText;
import io.weir.topic.Topic;
import io.weir.topology.GroupSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which windows of sensors those of groups are made of. */
final class GroupSources {
  private GroupSources() {}

  /**
   * Windows where weir.groups.size is their length, else rollups; empty where there are no groups.
   *
   * @throws ConfigException if neither has that length, with one line that says what to set
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
        "%s=%s: sensors have no such windows; expected: weir.window.size, %s, or one of"
                .formatted(
                    EventKeys.GROUPS_SIZE.propertyName(),
                    DurationText.format(size),
                    DurationText.format(windows.size()))
            + " weir.rollups, %s, which are to be the same here and for weir run"
                .formatted(rollups.isEmpty() ? "of which there are none" : rollups));
  }
}

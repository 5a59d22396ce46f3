package io.weir.internal.app;

import io.weir.internal.permission.PermissionWatch;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.time.DurationText;
import io.weir.internal.topology.EventMeasures;
import io.weir.internal.topology.EventServices;
import io.weir.internal.topology.EventSettings;
import io.weir.internal.topology.EventTopology;
import io.weir.internal.topology.GroupSettings;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The application of {@code weir events}: scheduled events, folds, and windows of groups. */
public final class EventApplication {
  private static final int MAX_EVENT_RECORD_BYTES = 1 << 20;

  private EventApplication() {}

  /**
   * Starts it.
   *
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if a check of the cluster fails, or events are not enabled
   */
  public static StreamsApplication start(WeirConfig config, EventMeasures measures) {
    if (!config.events().isOn()) {
      throw new StartRefusedException(
          "weir.events = false: expected: weir.events=true, here and for weir"
              + " topics, and weir.fold=true to fold, weir.groups=true for groups of sensors");
    }
    return StreamsApplication.start(config, plan(config), parts -> build(config, measures, parts));
  }

  /**
   * The plan of the application.
   *
   * @throws ConfigException if the settings have no windows for the groups
   */
  public static StreamsPlan plan(WeirConfig config) {
    String applicationId = config.events().applicationId();
    TopicNames topics = topics(config);
    List<StreamsInput> inputs = new ArrayList<>();
    inputs.add(input(topics, Topic.SCHEDULED, EventTopology.TIMERS_STORE, Topic.EVENTS));
    if (config.events().fold().isPresent()) {
      inputs.add(input(topics, Topic.EVENTS, EventTopology.FOLDS_STORE, Topic.FOLDED));
    }
    GroupSources.settings(config)
        .ifPresent(
            groups -> {
              String source = topics.of(groups.source());
              inputs.add(new StreamsInput(source, EventTopology.GROUP_PARTS_STORE));
              inputs.add(
                  input(topics, Topic.GROUP_PARTS, EventTopology.GROUPS_STORE, Topic.GROUPS));
            });
    return new StreamsPlan(
        applicationId,
        EventKeys.EVENTS_APPLICATION_ID.propertyName(),
        User.EVENTS,
        topics,
        inputs,
        Acl.ofEvents(applicationId, topics));
  }

  private static StreamsInput input(TopicNames topics, Topic topic, String store, Topic output) {
    return new StreamsInput(topics.of(topic), store, List.of(topics.of(output)));
  }

  /** The summary topic from which groups are computed; empty without groups. */
  private static TopicNames topics(WeirConfig config) {
    Set<Topic> unread = EnumSet.of(Topic.WINDOWS, Topic.ROLLUPS);
    GroupSources.settings(config).ifPresent(groups -> unread.remove(groups.source()));
    return config.topics().without(unread).of(User.EVENTS);
  }

  private static StreamsParts.BuiltTopology build(
      WeirConfig config, EventMeasures measures, StreamsParts parts) {
    TopicNames topics = topics(config);
    long maxFutureSkewMs = config.windows().maxFutureSkew().toMillis();
    Optional<PermissionWatch> permissions =
        config.signing().watchPermissions(measures::gatewaysFile);
    EventSettings settings =
        new EventSettings(
            topics,
            config.events().timers(),
            config.events().fold(),
            GroupSources.settings(config),
            config.limits(),
            config.state().gateways(maxFutureSkewMs),
            maxFutureSkewMs,
            parts.topics().maxMessageBytes(topics.deadLetters()),
            ValueFormat.of(config.values()),
            parts.registryWait(),
            config.signing().senders(permissions),
            SensorPartition.COUNT);
    // The message type of dead letters of events differs from that of readings.
    TopicSchemas.requireWritable(
        topics.outputsOf(User.EVENTS).without(List.of(Topic.DEAD_LETTERS)), settings.values());
    return new StreamsParts.BuiltTopology(
        EventTopology.build(settings, new EventServices(measures, parts.tasks())),
        Math.max(MAX_EVENT_RECORD_BYTES, settings.maxDeadLetterBytes()),
        () -> {},
        () -> permissions.ifPresent(PermissionWatch::close));
  }

  /** The sensor windows from which group windows are computed. */
  static final class GroupSources {
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
          "%s=%s: expected: weir.window.size (%s) or one of"
                  .formatted(
                      EventKeys.GROUPS_SIZE.propertyName(),
                      DurationText.format(size),
                      DurationText.format(windows.size()))
              + " weir.rollups (%s), as in weir run"
                  .formatted(rollups.isEmpty() ? "none" : rollups));
    }
  }
}

package io.weir.app;

import static io.weir.app.ValueType.duration;
import static io.weir.app.ValueType.file;
import static io.weir.app.ValueType.flag;
import static io.weir.app.ValueType.groupTemplate;
import static io.weir.app.ValueType.integer;
import static io.weir.app.ValueType.topicName;
import static io.weir.app.ValueType.wholeNumber;

import io.weir.alarm.GroupTemplate;
import io.weir.event.FoldSpec;
import io.weir.event.TimerLimits;
import io.weir.group.GroupSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The settings of status, alarms, events and groups: a part of the catalogue {@link Keys}. */
public final class EventKeys {
  public static final Key<Boolean> STATUS =
      Key.of(
          "status",
          flag(),
          "false",
          "whether run writes the status of sensors: started, silent, resumed, finished, and their"
              + " alarms, to weir.topic.status");
  public static final Key<Duration> SILENT_AFTER =
      Key.of(
          "silent.after",
          duration("1ms"),
          "5m",
          "how long nothing comes of a sensor before its status is SILENT");
  public static final Key<Path> RULES_FILE =
      Key.unset(
          "rules.file",
          file(),
          "a file of rules, in YAML, by which run raises and clears alarms of sensors");
  public static final Key<GroupTemplate> GROUP =
      Key.of(
          "group",
          groupTemplate(),
          GroupTemplate.DEFAULT.toString(),
          "which group a sensor belongs to: text with {1}, {2} ... for the parts of its id between"
              + " slashes; alarms have it as their key");
  public static final Key<Boolean> EVENTS =
      Key.of(
          "events",
          flag(),
          "false",
          "whether there are events: the topics weir.topic.events and weir.topic.scheduled, and what"
              + " weir events schedules");
  public static final Key<Boolean> FOLD =
      Key.of(
          "fold",
          flag(),
          "false",
          "whether weir events folds the events of each key, to weir.topic.folded");
  public static final Key<String> EVENTS_APPLICATION_ID =
      Key.of(
          "events.application.id",
          topicName(),
          "weir-events",
          "weir events: its name on the cluster, as weir.application.id is that of weir run");
  public static final Key<Duration> FOLD_QUIET =
      Key.of(
          "fold.quiet",
          duration("1ms", "1d"),
          "5s",
          "silence of a key after which its events become one");
  public static final Key<Duration> FOLD_MAX_HOLD =
      Key.of(
          "fold.max.hold",
          duration("1ms", "1d"),
          "1m",
          "how long events of a key that never rests are held");
  public static final Key<Integer> FOLD_MAX_FIELDS =
      Key.of(
          "fold.max.fields",
          integer(1, 100_000),
          "1000",
          "most different fields of a fold; another one begins a new fold");
  public static final Key<Long> FOLD_MAX_BYTES =
      Key.of(
          "fold.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(FoldSpec.DEFAULT.maxBytes()),
          "most bytes of memory of a partition's folds; beyond them the oldest are emitted,"
              + " of gateways that have more than an eighth first");
  public static final Key<Long> TIMERS_MAX_BYTES =
      Key.of(
          "timers.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(TimerLimits.DEFAULT.bytes()),
          "most bytes of memory of a partition's scheduled events; beyond them events are refused,"
              + " beyond half of them those of gateways that have an eighth");
  public static final Key<Boolean> GROUPS =
      Key.of(
          "groups",
          flag(),
          "false",
          "whether weir events summarises windows of groups of sensors, to weir.topic.groups");
  public static final Key<Duration> GROUPS_SIZE =
      Key.of(
          "groups.size",
          duration("1ms"),
          "1m",
          "length of the windows that groups have: weir.window.size or one of weir.rollups");
  public static final Key<Duration> GROUPS_QUIET =
      Key.of(
          "groups.quiet",
          duration("1ms", "1d"),
          "5s",
          "how long a group's window must not change before it is emitted");
  public static final Key<Duration> GROUPS_HOLD =
      Key.of(
          "groups.hold",
          duration("1ms", "1d"),
          "1m",
          "how long a change of a group's window is held that does not come to rest");
  public static final Key<Duration> GROUPS_KEEP =
      Key.of(
          "groups.keep",
          duration("1ms"),
          "1h",
          "how long after its last change a group's window takes changes; later ones are counted and"
              + " change nothing");
  public static final Key<Integer> GROUPS_MAX_SENSORS =
      Key.of(
          "groups.max.sensors",
          integer(1, 1_000_000),
          Integer.toString(GroupSpec.DEFAULT.maxSensors()),
          "most sensors in a window of a group; others are counted and change nothing");
  public static final Key<Long> GROUPS_MAX_BYTES =
      Key.of(
          "groups.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(GroupSpec.DEFAULT.maxBytes()),
          "most bytes of memory of a partition's windows of groups; beyond them those that did not"
              + " change for longest are emitted and dropped, first of a writer above an eighth");

  static final List<Key<?>> ALL =
      List.of(
          STATUS,
          SILENT_AFTER,
          RULES_FILE,
          GROUP,
          EVENTS,
          EVENTS_APPLICATION_ID,
          FOLD,
          FOLD_QUIET,
          FOLD_MAX_HOLD,
          FOLD_MAX_FIELDS,
          FOLD_MAX_BYTES,
          TIMERS_MAX_BYTES,
          GROUPS,
          GROUPS_SIZE,
          GROUPS_QUIET,
          GROUPS_HOLD,
          GROUPS_KEEP,
          GROUPS_MAX_SENSORS,
          GROUPS_MAX_BYTES);

  private EventKeys() {}
}

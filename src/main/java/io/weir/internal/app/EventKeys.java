package io.weir.internal.app;

import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.file;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.groupTemplate;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.topicName;
import static io.weir.internal.app.ValueType.wholeNumber;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The settings of status, alarms, events and groups: a part of the catalogue {@link Keys}. */
public final class EventKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<Boolean> STATUS =
      KEYS.of(
          "status",
          flag(),
          "false",
          "whether run writes the status of sensors (started, silent, resumed, finished) and"
              + " their alarms to weir.topic.status");
  public static final Key<Duration> SILENT_AFTER =
      KEYS.of(
          "silent.after",
          duration("1ms"),
          "5m",
          "inactivity after which the status of a sensor is SILENT");
  public static final Key<Path> RULES_FILE =
      KEYS.unset(
          "rules.file", file(), "YAML file with alarm rules for sensors, which run evaluates");
  public static final Key<GroupTemplate> GROUP =
      KEYS.of(
          "group",
          groupTemplate(),
          GroupTemplate.DEFAULT.toString(),
          "template of the group of a sensor: {1}, {2} ... are the parts of its id between"
              + " slashes; the group is the key of its alarms");
  public static final Key<Boolean> EVENTS =
      KEYS.of(
          "events",
          flag(),
          "false",
          "enables events: the topics weir.topic.events and weir.topic.scheduled, and the"
              + " scheduling of weir events");
  public static final Key<Boolean> FOLD =
      KEYS.of(
          "fold",
          flag(),
          "false",
          "whether weir events folds the events of each key into one on weir.topic.folded");
  public static final Key<String> EVENTS_APPLICATION_ID =
      KEYS.of(
          "events.application.id",
          topicName(),
          "weir-events",
          "weir events: its name on Kafka, as weir.application.id is the name of weir run");
  public static final Key<Duration> FOLD_QUIET =
      KEYS.of(
          "fold.quiet",
          duration("1ms", "1d"),
          "5s",
          "quiet period of a key after which its events are folded into one");
  public static final Key<Duration> FOLD_MAX_HOLD =
      KEYS.of(
          "fold.max.hold",
          duration("1ms", "1d"),
          "1m",
          "longest delay before the events of a key without a quiet period are folded");
  public static final Key<Integer> FOLD_MAX_FIELDS =
      KEYS.of(
          "fold.max.fields",
          integer(1, 100_000),
          "1000",
          "maximum number of distinct fields of a fold; one more field starts a new fold");
  public static final Key<Long> FOLD_MAX_BYTES =
      KEYS.of(
          "fold.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(FoldSpec.DEFAULT.maxBytes()),
          "maximum memory in bytes of the folds of a partition; above it the oldest folds are"
              + " emitted, first those of gateways that use more than an eighth");
  public static final Key<Long> TIMERS_MAX_BYTES =
      KEYS.of(
          "timers.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(TimerLimits.DEFAULT.bytes()),
          "maximum memory in bytes of the scheduled events of a partition; above it events are"
              + " refused, above half of it those of gateways that use an eighth");
  public static final Key<Long> HANDLERS_MAX_BYTES =
      KEYS.of(
          "handlers.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(256 << 20),
          "maximum memory in bytes of the keys and states of handlers in a partition; beyond it new"
              + " keys are refused, and calls that enlarge a state fail; above half of it for"
              + " gateways that use an eighth");
  public static final Key<Integer> HANDLERS_MAX_KEYS =
      KEYS.of(
          "handlers.max.keys",
          integer(1, 100_000_000),
          Integer.toString(1_000_000),
          "maximum number of keys of handlers in a partition; beyond it events of new keys are"
              + " refused, above half of it those of gateways that made an eighth");
  public static final Key<Long> HANDLERS_MAX_WAITING_BYTES =
      KEYS.of(
          "handlers.max.waiting.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(64 << 20),
          "maximum memory in bytes of the events of a partition that wait for their handler; beyond"
              + " it they are refused, above half of it those of gateways that use an eighth");
  public static final Key<Boolean> GROUPS =
      KEYS.of(
          "groups",
          flag(),
          "false",
          "whether weir events aggregates the windows of sensor groups to weir.topic.groups");
  public static final Key<Duration> GROUPS_SIZE =
      KEYS.of(
          "groups.size",
          duration("1ms"),
          "1m",
          "length of group windows: weir.window.size or one of weir.rollups");
  public static final Key<Duration> GROUPS_QUIET =
      KEYS.of(
          "groups.quiet",
          duration("1ms", "1d"),
          "5s",
          "quiet period of a group window after which it is emitted");
  public static final Key<Duration> GROUPS_HOLD =
      KEYS.of(
          "groups.hold",
          duration("1ms", "1d"),
          "1m",
          "longest delay before a group window that keeps changing is emitted");
  public static final Key<Duration> GROUPS_KEEP =
      KEYS.of(
          "groups.keep",
          duration("1ms"),
          "1h",
          "how long after its last change a group window accepts changes; later changes are"
              + " counted and ignored");
  public static final Key<Integer> GROUPS_MAX_SENSORS =
      KEYS.of(
          "groups.max.sensors",
          integer(1, 1_000_000),
          Integer.toString(GroupSpec.DEFAULT.maxSensors()),
          "maximum number of sensors in a group window; other sensors are counted and ignored");
  public static final Key<Long> GROUPS_MAX_BYTES =
      KEYS.of(
          "groups.max.bytes",
          wholeNumber("BYTES", 1 << 20, 1L << 40),
          Long.toString(GroupSpec.DEFAULT.maxBytes()),
          "maximum memory in bytes of the group windows of a partition; above it the windows"
              + " with the oldest last change are emitted and dropped, first those of a writer"
              + " that uses more than an eighth");

  static final List<Key<?>> ALL = KEYS.all();

  private EventKeys() {}
}

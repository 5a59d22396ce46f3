package io.weir.lab.oracle;

import io.weir.internal.alarm.BaselineSpec;
import io.weir.internal.alarm.Condition;
import io.weir.internal.alarm.Level;
import io.weir.internal.alarm.StatusPlan;
import io.weir.v1.Event;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * What status and alarms one partition must emit, record by record, as lines of text: written from
 * the design alone, independently of the engine. Every look goes through all that there ever was.
 * One thread.
 */
public final class NaiveStatus {
  private StatusPlan plan;
  private boolean isChanged;
  private final Consumer<String> status;
  private final Consumer<Event> alarms;
  private final Map<String, Sensor> sensors = new LinkedHashMap<>();
  private final Map<String, Sensor> changed = new LinkedHashMap<>();
  private final Set<String> stateChanged = new HashSet<>();
  private long appendMs;
  private long logMs;

  /** A closed window with good readings. */
  private record Closed(long startMs, double min, double max, double mean) {
    double of(BaselineSpec.Of what) {
      return switch (what) {
        case MIN -> min;
        case MAX -> max;
        case MEAN -> mean;
      };
    }
  }

  private static final class NaiveAlarm {
    /** As of when it was made, or of the last look after the rules were changed. */
    int priority;

    NaiveAlarm(Condition condition) {
      priority = condition.priority();
    }

    boolean active;
    boolean everActive;
    long sinceMs;
    double value;

    /** Starts of the closed windows that exceed since one that does not; while not active. */
    final TreeSet<Long> row = new TreeSet<>();
  }

  private static final class Sensor {
    String state = "UNKNOWN";
    boolean awake;
    long sinceMs;
    long lastMs;
    long lastActiveMs;
    String gatewayId = "";
    final Map<Condition, NaiveAlarm> alarms =
        new TreeMap<>(Comparator.comparing(Condition::rule).thenComparing(Condition::level));

    /** Of rules that are not there any more. */
    final Map<Condition, NaiveAlarm> outdated = new LinkedHashMap<>();

    boolean toReview;
    final List<Closed> windows = new ArrayList<>();
    final TreeSet<Long> judged = new TreeSet<>();

    /** Windows that are open and were emitted as idle, as they were then. */
    final TreeMap<Long, Closed> open = new TreeMap<>();
  }

  private enum Finding {
    EXCEEDS,
    BETWEEN,
    INSIDE
  }

  /** The finding of a condition for a window, and the limit of the condition. */
  private record Judged(Finding finding, double limit) {
    static final Judged NOTHING = new Judged(Finding.BETWEEN, Double.NaN);
  }

  /**
   * @param status takes lines as {@link #statusLine} makes them; a sensor that is gone has only its
   *     id
   * @param alarms takes the event of each transition of an alarm
   */
  public NaiveStatus(StatusPlan plan, Consumer<String> status, Consumer<Event> alarms) {
    this.plan = plan;
    this.status = status;
    this.alarms = alarms;
  }

  /** A status as a line. */
  public static String statusLine(
      String id, String state, long sinceMs, long lastMs, String gatewayId, List<String> alarms) {
    return id
        + " "
        + state
        + " since "
        + sinceMs
        + " last "
        + lastMs
        + " by "
        + gatewayId
        + " "
        + new TreeSet<>(alarms);
  }

  /** An alarm within a status as a line. */
  public static String stateLine(
      String rule, String level, boolean active, long sinceMs, double value, int priority) {
    return rule + " " + level + " " + active + " " + sinceMs + " " + value + " p" + priority;
  }

  /**
   * From the next record on there are other rules: some more, some less, some of another priority.
   */
  void change(StatusPlan next) {
    plan = next;
    isChanged = true;
    sensors.forEach(
        (id, sensor) -> {
          Map<Condition, NaiveAlarm> before = new LinkedHashMap<>(sensor.alarms);
          sensor.alarms.clear();
          before.forEach((condition, alarm) -> change(id, sensor, condition, alarm));
        });
  }

  private void change(String id, Sensor sensor, Condition before, NaiveAlarm alarm) {
    Condition now =
        plan.rules().conditions().stream()
            .filter(each -> each.rule().equals(before.rule()) && each.level() == before.level())
            .filter(each -> fits(each, id))
            .findFirst()
            .orElse(null);
    boolean isKept = alarm.everActive || !alarm.row.isEmpty();
    sensor.toReview |= isKept && !before.equals(now);
    if (now != null) {
      if (!isKept) {
        alarm.priority = now.priority(); // The state has nothing of it.
      }
      sensor.alarms.put(now, alarm);
    } else if (isKept) {
      sensor.outdated.put(before, alarm);
    }
  }

  /** Brings what the rules before have left up to date. */
  private void review() {
    isChanged = false;
    sensors.forEach(
        (id, sensor) -> {
          sensor.outdated.forEach(
              (condition, alarm) -> {
                if (alarm.active) {
                  double value = alarm.value;
                  setActive(id, condition, alarm, "rule-removed", appendMs, value, null, null);
                }
              });
          sensor.outdated.clear();
          sensor.alarms.forEach((condition, alarm) -> alarm.priority = condition.priority());
          if (sensor.toReview) {
            changed.put(id, sensor);
          }
          sensor.toReview = false;
        });
  }

  void begin(long recordAppendMs, long recordLogMs) {
    appendMs = recordAppendMs;
    logMs = recordLogMs;
  }

  private Sensor of(String id) {
    return sensors.computeIfAbsent(id, i -> new Sensor());
  }

  void received(String id, String gatewayId, long watermarkMs) {
    Sensor sensor = of(id);
    sensor.awake = true;
    sensor.lastMs = watermarkMs;
    sensor.lastActiveMs = logMs;
    if (sensor.state.equals("SILENT")) {
      enter(id, sensor, "RESUMED");
    } else if (sensor.state.equals("UNKNOWN") || sensor.state.equals("FINISHED")) {
      enter(id, sensor, "STARTED");
    }
    sensor.gatewayId = gatewayId;
    sensor.alarms.forEach(
        (condition, alarm) -> {
          if (alarm.active && condition.level() == Level.SILENT) {
            end(id, condition, alarm, "speaks");
          }
        });
  }

  void closed(NaiveWindows.Key key, NaiveWindows.Window content) {
    of(key.sensorId()).open.remove(key.startMs());
    if (content.count() > 0) {
      Closed window = closed(key.startMs(), content);
      Sensor sensor = of(key.sensorId());
      if (isInOrder(sensor, window)) {
        judge(key.sensorId(), window, true);
        sensor.judged.add(window.startMs());
      }
      sensor.windows.add(window);
    }
  }

  void idle(NaiveWindows.Key key, NaiveWindows.Window content) {
    if (content.count() > 0) {
      Closed window = closed(key.startMs(), content);
      if (isInOrder(of(key.sensorId()), window)) {
        of(key.sensorId()).open.put(key.startMs(), window);
        judge(key.sensorId(), window, false);
      }
    }
  }

  /** Readings of a batch that are withheld: they can only raise an alarm at a limit. */
  void withheld(String id, List<Reading> readings) {
    TreeMap<Long, List<Double>> values = new TreeMap<>();
    for (Reading reading : readings) {
      long startMs =
          Math.floorDiv(reading.getTimestampMs(), plan.windowSizeMs()) * plan.windowSizeMs();
      if (reading.getQuality() != Quality.QUALITY_BAD) {
        values.computeIfAbsent(startMs, start -> new ArrayList<>()).add(reading.getValue() + 0.0);
      }
    }
    values.forEach(
        (startMs, each) -> {
          Closed part = new Closed(startMs, Collections.min(each), Collections.max(each), 0);
          if (isInOrder(of(id), part)) {
            plan.rules().conditions().stream()
                .filter(one -> one.level() != Level.SILENT && one.level() != Level.DEVIATION)
                .filter(one -> fits(one, id))
                .forEach(one -> withheld(id, of(id), one, part));
          }
        });
  }

  private void withheld(String id, Sensor sensor, Condition condition, Closed part) {
    Judged judged = judged(condition, sensor, part);
    NaiveAlarm alarm = sensor.alarms.computeIfAbsent(condition, NaiveAlarm::new);
    boolean isBehind = !alarm.row.isEmpty() && part.startMs() < alarm.row.last();
    if (alarm.active || isBehind) {
      return;
    }
    if (judged.finding != Finding.EXCEEDS) {
      if (!alarm.row.isEmpty() && part.startMs() > alarm.row.last()) {
        alarm.row.clear();
      }
      return;
    }
    alarm.row.add(part.startMs());
    long endMs = part.startMs() + plan.windowSizeMs();
    if (endMs - withoutGap(alarm.row, condition) >= condition.onDelayMs()) {
      double value = value(condition, part);
      setActive(id, condition, alarm, "exceeded", endMs, value, judged.limit, part.startMs());
    }
  }

  /** An older window than one that was judged comes too late for alarms. */
  private static boolean isInOrder(Sensor sensor, Closed window) {
    return sensor.judged.tailSet(window.startMs()).isEmpty();
  }

  /** Open windows that may lack readings are judged no more. */
  void withhold(LongPredicate startsThen) {
    sensors.values().forEach(sensor -> sensor.open.keySet().removeIf(startsThen::test));
  }

  private static Closed closed(long startMs, NaiveWindows.Window content) {
    double mean = content.sum().doubleValue() / content.count();
    return new Closed(startMs, content.min(), content.max(), mean);
  }

  private void judge(String id, Closed window, boolean closed) {
    Sensor sensor = of(id);
    for (Condition condition : plan.rules().conditions()) {
      if (condition.level() == Level.SILENT || !fits(condition, id)) {
        continue;
      }
      Judged judged = judged(condition, sensor, window);
      Finding finding = judged.finding;
      NaiveAlarm alarm = sensor.alarms.computeIfAbsent(condition, NaiveAlarm::new);
      long endMs = window.startMs() + plan.windowSizeMs();
      double value = value(condition, window);
      if (finding == Finding.EXCEEDS && !alarm.active) {
        TreeSet<Long> row = new TreeSet<>(alarm.row);
        for (Closed earlier : sensor.open.headMap(window.startMs()).values()) {
          if (judged(condition, sensor, earlier).finding == Finding.EXCEEDS) {
            row.add(earlier.startMs());
          } else {
            row.clear();
          }
        }
        row.add(window.startMs());
        if (endMs - withoutGap(row, condition) >= condition.onDelayMs()) {
          setActive(id, condition, alarm, "exceeded", endMs, value, judged.limit, window.startMs());
        } else if (closed) {
          alarm.row.add(window.startMs());
        }
      } else if (finding != Finding.EXCEEDS && closed) {
        alarm.row.clear();
        if (alarm.active && finding == Finding.INSIDE) {
          setActive(id, condition, alarm, "inside", endMs, value, judged.limit, window.startMs());
        }
      }
    }
  }

  /** The first start after the last gap that is too long. */
  private long withoutGap(TreeSet<Long> starts, Condition condition) {
    long firstMs = starts.first();
    long beforeMs = firstMs;
    for (long startMs : starts) {
      long gapMs = startMs - (beforeMs + plan.windowSizeMs());
      if (gapMs > condition.onDelayGapMs()) {
        firstMs = startMs;
      }
      beforeMs = startMs;
    }
    return firstMs;
  }

  private static boolean fits(Condition condition, String id) {
    String pattern = condition.sensors().text().replace(".", "\\.");
    return id.matches("(?s)" + pattern.replace("*", ".*").replace("?", "."));
  }

  private static double value(Condition condition, Closed window) {
    return switch (condition.level()) {
      case LOW_LOW, LOW -> window.min();
      case HIGH, HIGH_HIGH -> window.max();
      default -> window.of(condition.baseline().of());
    };
  }

  private Judged judged(Condition condition, Sensor sensor, Closed window) {
    double value = value(condition, window);
    double limit = condition.limit();
    return switch (condition.level()) {
      case LOW_LOW, LOW ->
          new Judged(
              value <= limit
                  ? Finding.EXCEEDS
                  : value > limit + condition.deadband() ? Finding.INSIDE : Finding.BETWEEN,
              limit);
      case HIGH, HIGH_HIGH ->
          new Judged(
              value >= limit
                  ? Finding.EXCEEDS
                  : value < limit - condition.deadband() ? Finding.INSIDE : Finding.BETWEEN,
              limit);
      default -> deviation(condition, sensor, window);
    };
  }

  private Judged deviation(Condition condition, Sensor sensor, Closed window) {
    BaselineSpec spec = condition.baseline();
    long fromMs = window.startMs() - spec.windows() * plan.windowSizeMs();
    List<Double> past = new ArrayList<>();
    for (Closed each : sensor.windows) {
      if (each.startMs() >= fromMs && each.startMs() < window.startMs()) {
        if (Double.isFinite(each.of(spec.of()))) {
          past.add(each.of(spec.of()));
        }
      }
    }
    if (past.size() < BaselineSpec.LEAST_WINDOWS) {
      return Judged.NOTHING;
    }
    BigDecimal number = BigDecimal.valueOf(past.size());
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    for (double each : past) {
      sum = sum.add(new BigDecimal(each));
      squares = squares.add(new BigDecimal(each).pow(2));
    }
    double mean = sum.doubleValue() / past.size();
    double distances = squares.multiply(number).subtract(sum.pow(2)).doubleValue();
    double deviation = Math.sqrt(distances / number.pow(2).doubleValue());
    double bound = Math.max(condition.limit() * deviation, condition.atLeast());
    double value = window.of(spec.of());
    double distance = Math.abs(value - mean);
    if (!Double.isFinite(distance) || !Double.isFinite(bound)) {
      return Judged.NOTHING;
    }
    return new Judged(
        distance > bound
            ? Finding.EXCEEDS
            : distance <= Math.max(0, bound - condition.deadband())
                ? Finding.INSIDE
                : Finding.BETWEEN,
        value < mean ? mean - bound : mean + bound);
  }

  /** Log time has passed: who has been silent for long? */
  void pass() {
    if (isChanged) {
      review();
    }
    sensors.forEach(
        (id, sensor) -> {
          long silentMs = logMs - sensor.lastActiveMs;
          if (!sensor.awake) {
            return;
          }
          if (silentMs >= plan.silentAfterMs() && !sensor.state.equals("SILENT")) {
            enter(id, sensor, "SILENT");
          }
          for (Condition condition : plan.rules().conditions()) {
            if (condition.level() == Level.SILENT
                && silentMs >= condition.limit()
                && fits(condition, id)) {
              NaiveAlarm alarm = sensor.alarms.computeIfAbsent(condition, NaiveAlarm::new);
              if (!alarm.active) {
                setActive(
                    id, condition, alarm, "exceeded", appendMs, silentMs, condition.limit(), null);
              }
            }
          }
        });
  }

  void forgotten(String id) {
    Sensor sensor = of(id);
    sensor.awake = false;
    sensor.windows.clear();
    sensor.open.clear();
    sensor.alarms.values().forEach(alarm -> alarm.row.clear());
    enter(id, sensor, "FINISHED");
  }

  void purged(String id) {
    Sensor sensor = of(id);
    sensor.alarms.forEach(
        (condition, alarm) -> {
          if (alarm.active) {
            end(id, condition, alarm, "forgotten");
          }
        });
    changed.remove(id);
    stateChanged.remove(id);
    sensors.remove(id);
    if (plan.sendsStatus()) {
      status.accept(id);
    }
  }

  /** No window ends it: a deviation from the past has no limit then. */
  private void end(String id, Condition condition, NaiveAlarm alarm, String cause) {
    Double limit = condition.level() == Level.DEVIATION ? null : (Double) condition.limit();
    setActive(id, condition, alarm, cause, appendMs, alarm.value, limit, null);
  }

  private void setActive(
      String id,
      Condition condition,
      NaiveAlarm alarm,
      String cause,
      long atMs,
      double value,
      Double limit,
      Long windowStartMs) {
    alarm.active = !alarm.active;
    alarm.everActive = true;
    alarm.sinceMs = atMs;
    alarm.value = value;
    alarm.row.clear();
    changed.put(id, of(id));
    NaiveAlarmEvent event = new NaiveAlarmEvent(plan.group().groupOf(id), id, atMs);
    event.text("rule", condition.rule());
    event.text("level", condition.level().text());
    event.active(alarm.active);
    event.text("cause", cause);
    event.number("value", value);
    event.number("limit", limit);
    event.integer("priority", (long) alarm.priority);
    event.integer("window_start_ms", windowStartMs);
    alarms.accept(event.build());
  }

  private void enter(String id, Sensor sensor, String state) {
    if (!stateChanged.add(id)) {
      publish(id, sensor);
    }
    sensor.state = state;
    sensor.sinceMs = appendMs;
    changed.put(id, sensor);
  }

  /** The record was applied. */
  void end() {
    changed.forEach(this::publish);
    changed.clear();
    stateChanged.clear();
  }

  private void publish(String id, Sensor sensor) {
    if (!plan.sendsStatus() || sensor.state.equals("UNKNOWN")) {
      return;
    }
    List<String> lines = new ArrayList<>();
    sensor.alarms.forEach(
        (condition, alarm) -> {
          if (alarm.everActive) {
            lines.add(
                stateLine(
                    condition.rule(),
                    condition.level().text(),
                    alarm.active,
                    alarm.sinceMs,
                    alarm.value,
                    alarm.priority));
          }
        });
    status.accept(
        statusLine(id, sensor.state, sensor.sinceMs, sensor.lastMs, sensor.gatewayId, lines));
  }
}

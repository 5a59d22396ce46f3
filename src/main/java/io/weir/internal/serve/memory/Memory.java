package io.weir.internal.serve.memory;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.text.LineReason;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.GroupSummary;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that is held of the topics. Sensors and groups have priority over history: the ring of recent
 * records gets the rest. One for which there is no memory is listed by its name alone, and not at
 * all where even names do not fit. One thread adds; safe for many threads.
 */
public final class Memory {
  private static final int SEGMENT_BYTES = 1 << 20;

  /** Of all memory; sensors may not take it. */
  private static final int RING_SHARE = 8;

  private static final int REFUSED_SHARE = 32;
  private static final long MAX_REFUSED_BYTES = 16 << 20;

  /** Lengths of windows that are kept in mind: a few are configured, others can be invented. */
  private static final int MAX_SIZES = 16;

  private static final int NEWEST_WINDOWS = 10;
  private static final int MAX_NEWEST_BYTES = 256 << 10;

  /** Of a page: messages are larger as objects, and as JSON. */
  private static final int MAX_PAGE_BYTES = 4 << 20;

  /** Of all priorities that no rule can have: a status could have 100,000 of them. */
  private static final int OTHER_PRIORITY = 10;

  /** Of all reasons that are not Weir's: anyone can write a dead letter. */
  private static final String OTHERS = "(others)";

  private static final Set<String> REASONS = reasons();

  /** Records of a sensor that one question walks through. */
  private static final int MAX_WALK = 200_000;

  private final ReentrantReadWriteLock locks = new ReentrantReadWriteLock();
  private final Lock reading = locks.readLock();
  private final Lock writing = locks.writeLock();
  private final long capacity;
  private final long skewMs;
  private final GroupTemplate groupTemplate;
  private final TreeMap<String, Sensor> sensors = new TreeMap<>();
  private final TreeMap<String, Sensor> alarmed = new TreeMap<>();
  private final TreeMap<String, Group> groups = new TreeMap<>();
  private final Map<SensorState, Integer> states = new EnumMap<>(SensorState.class);
  private final TreeMap<Integer, Integer> alarms = new TreeMap<>();
  private final RecordRing ring;
  private final Map<Topic, Map<Integer, Held>> held = new EnumMap<>(Topic.class);
  private final Map<String, Set<Listener>> listeners = new ConcurrentHashMap<>();
  private final RefusedRecords late;
  private final RefusedRecords refused;
  private final Rates readingRates = new Rates();
  private final Rates windowRates = new Rates();
  private final Rates lateRates = new Rates();
  private final Map<String, Rates> refusedRates = new HashMap<>();
  private final Map<Integer, Rates> partitionRates = new HashMap<>();

  /** With how often each came; a new one takes the place and the number of the rarest. */
  private final TreeMap<Long, Long> sizes = new TreeMap<>();

  private final Deque<Stored> newestWindows = new ArrayDeque<>();
  private int newestBytes;
  private long sensorBytes;
  private long unlisted;

  /** Receives the records of a sensor, in their order. It must not wait. */
  @FunctionalInterface
  public interface Listener {
    void record(Stored record);
  }

  /** From where on the records of a partition are in the ring. */
  private static final class Held {
    long fromOffset;
    long fromMs;
    long lastOffset = -1;

    /** Whether nothing of the topic is missing. */
    boolean whole;
  }

  /**
   * A place in a topic.
   *
   * @param offset of the last record that is known
   */
  public record Place(Topic topic, int partition, long offset) {}

  /**
   * A part of what was asked for.
   *
   * @param total how many there are in all
   * @param more whether others follow
   */
  public record Page<T>(List<T> rows, long total, boolean more) {}

  /**
   * Recent records of a sensor or group.
   *
   * @param rows oldest first
   * @param complete whether no older ones of what was asked for can be on the topic
   */
  public record History<T>(List<T> rows, boolean complete) {}

  /**
   * An alarm of a sensor.
   *
   * @param alarm its state
   */
  public record Alarmed(String sensorId, AlarmState alarm) {}

  /**
   * @param bytes that it may take, by estimate
   * @param groupTemplate the group of a sensor
   * @param skewMs how far ahead of its append time a window may begin
   */
  public Memory(long bytes, GroupTemplate groupTemplate, long skewMs) {
    long letters = Math.min(bytes / REFUSED_SHARE, MAX_REFUSED_BYTES);
    this.capacity = bytes - 2 * letters;
    this.groupTemplate = groupTemplate;
    this.skewMs = skewMs;
    this.late = new RefusedRecords(letters);
    this.refused = new RefusedRecords(letters);
    this.ring = new RecordRing((int) Math.min(SEGMENT_BYTES, bytes / 64), capacity, this::dropped);
  }

  /**
   * Says that a partition is read from an offset on.
   *
   * @param whole whether that is its beginning
   */
  public void begin(Topic topic, int partition, long offset, boolean whole) {
    writing.lock();
    try {
      Held from = new Held();
      from.fromOffset = offset;
      from.lastOffset = offset - 1;
      from.whole = whole;
      held.computeIfAbsent(topic, any -> new HashMap<>()).put(partition, from);
    } finally {
      writing.unlock();
    }
  }

  private void dropped(Topic topic, int partition, long offset, long appendMs) {
    Held from = held(topic, partition);
    from.fromOffset = offset + 1;
    from.whole = false;
    from.fromMs = Math.max(from.fromMs, appendMs + 1);
  }

  private Held held(Topic topic, int partition) {
    return held.computeIfAbsent(topic, any -> new HashMap<>())
        .computeIfAbsent(partition, any -> new Held());
  }

  /** Adds a summary of the windows, rollups or hopping windows. */
  public void window(Stored record, WindowSummary summary) {
    writing.lock();
    try {
      Sensor sensor = sensorOf(summary.getSensorId(), record.partition());
      addSize(summary.getWindowEndMs() - summary.getWindowStartMs());
      if (record.topic() == Topic.WINDOWS) {
        long count = summary.getCount() + summary.getBadCount();
        windowRates.add(record.appendMs(), 1);
        readingRates.add(record.appendMs(), count);
        partitionRates
            .computeIfAbsent(record.partition(), any -> new Rates())
            .add(record.appendMs(), count);
        newestWindows.addFirst(record);
        newestBytes += record.value().length;
        while (newestWindows.size() > NEWEST_WINDOWS || newestBytes > MAX_NEWEST_BYTES) {
          newestBytes -= newestWindows.removeLast().value().length;
        }
      }
      if (sensor == null) {
        return;
      }
      if (record.topic() == Topic.WINDOWS
          && summary.getWindowStartMs() >= sensor.newestStartMs
          && isPlausible(summary.getWindowStartMs(), record)) {
        long more = record.value().length - (sensor.newest == null ? 0 : sensor.newest.length);
        if (sensorBytes + more <= mostOfSensors()) {
          sensor.newest = record.value();
          sensor.newestOffset = record.offset();
          sensor.newestStartMs = summary.getWindowStartMs();
          sensorBytes += more;
        } else if (sensor.newest != null) {
          sensorBytes -= sensor.newest.length;
          sensor.newest = null;
        }
      }
      sensor.chain = append(sensor.chain, record);
    } finally {
      writing.unlock();
    }
    tell(summary.getSensorId(), record);
  }

  /** A window that lies far ahead would be the newest for ever. */
  private boolean isPlausible(long startMs, Stored record) {
    return startMs <= record.appendMs() || startMs - record.appendMs() <= skewMs;
  }

  private void addSize(long sizeMs) {
    if (sizeMs <= 0) {
      return;
    }
    long before = 0;
    if (sizes.size() == MAX_SIZES && !sizes.containsKey(sizeMs)) {
      Map.Entry<Long, Long> rarest =
          Collections.min(sizes.entrySet(), Comparator.comparing(Map.Entry::getValue));
      sizes.remove(rarest.getKey());
      before = rarest.getValue();
    }
    sizes.merge(sizeMs, before + 1, (had, one) -> had + 1);
  }

  /** Adds a status. */
  public void status(Stored record, SensorStatus status) {
    writing.lock();
    try {
      Sensor sensor = sensorOf(status.getSensorId(), record.partition());
      if (sensor == null) {
        return;
      }
      setStatus(sensor, status, record.value());
      sensor.chain = append(sensor.chain, record);
    } finally {
      writing.unlock();
    }
    tell(status.getSensorId(), record);
  }

  /** Forgets the status of a sensor, and the sensor if nothing else is known of it. */
  public void forget(String sensorId) {
    writing.lock();
    try {
      Sensor sensor = sensors.get(sensorId);
      if (sensor != null) {
        setStatus(sensor, SensorStatus.getDefaultInstance(), null);
        if (sensor.newest == null) {
          count(states, sensor.state, -1);
          sensor.group.sensors--;
          if (sensor.group.sensors == 0 && sensor.group.newest == null) {
            groups.remove(sensor.group.name);
            sensorBytes -= sensor.group.bytes();
          }
          sensorBytes -= sensor.bytes();
          sensors.remove(sensorId);
        }
      }
    } finally {
      writing.unlock();
    }
  }

  /** Adds a summary of a group. */
  public void group(Stored record, GroupSummary summary) {
    writing.lock();
    try {
      Group known = groups.get(summary.getGroup());
      Group group = known == null ? groupOf(summary.getGroup(), 0) : known;
      if (group == null) {
        return;
      }
      if (summary.getWindowStartMs() >= group.newestStartMs
          && isPlausible(summary.getWindowStartMs(), record)) {
        long more = record.value().length - (group.newest == null ? 0 : group.newest.length);
        if (sensorBytes + more <= mostOfSensors()) {
          group.newest = record.value();
          group.newestStartMs = summary.getWindowStartMs();
          sensorBytes += more;
        } else if (group.newest != null) {
          sensorBytes -= group.newest.length;
          group.newest = null;
        }
      }
      group.chain = append(group.chain, record);
    } finally {
      writing.unlock();
    }
  }

  /** Adds a late record or a dead letter. */
  public void refuse(RefusedRecord letter, String reason, int readings) {
    writing.lock();
    try {
      if (letter.topic() == Topic.LATE) {
        lateRates.add(letter.appendMs(), readings);
      } else {
        refusedRates
            .computeIfAbsent(REASONS.contains(reason) ? reason : OTHERS, any -> new Rates())
            .add(letter.appendMs(), readings);
      }
    } finally {
      writing.unlock();
    }
    refused(letter.topic()).add(letter);
  }

  private static Set<String> reasons() {
    Set<String> names =
        new HashSet<>(Set.of("MALFORMED_RECORD", "TOO_MANY_READINGS", "OVERSIZED_BATCH"));
    Stream.<Enum<?>[]>of(RejectReason.values(), LineReason.values(), EventRefusal.values())
        .flatMap(Stream::of)
        .forEach(reason -> names.add(reason.name()));
    return names;
  }

  /** The newest late records or dead letters. */
  public RefusedRecords refused(Topic topic) {
    return topic == Topic.LATE ? late : refused;
  }

  private long append(long chain, Stored record) {
    Held from = held(record.topic(), record.partition());
    if (from.fromMs == 0) {
      from.fromMs = record.appendMs();
    }
    from.lastOffset = record.offset();
    ring.setCapacity(Math.max(capacity / RING_SHARE, capacity - sensorBytes));
    return ring.append(chain, record);
  }

  private long mostOfSensors() {
    return capacity - capacity / RING_SHARE;
  }

  /** Null where there is no memory for it. */
  private Sensor sensorOf(String id, int partition) {
    Sensor known = sensors.get(id);
    if (known != null) {
      return known;
    }
    Group group = groupOf(groupTemplate.groupOf(id), Sensor.bareBytes(id));
    if (group == null) {
      unlisted++;
      return null;
    }
    Sensor sensor = new Sensor(id, group, partition);
    sensors.put(id, sensor);
    sensorBytes += sensor.bytes();
    sensor.group.sensors++;
    count(states, sensor.state, 1);
    return sensor;
  }

  /**
   * Null where there is no memory for it.
   *
   * @param more bytes that there must be beside it
   */
  private Group groupOf(String name, int more) {
    Group known = groups.get(name);
    Group group = known == null ? new Group(name) : known;
    int own = known == null ? group.bytes() : 0;
    if (sensorBytes + own + more > mostOfSensors()) {
      return null;
    }
    groups.put(name, group);
    sensorBytes += own;
    return group;
  }

  private void setStatus(Sensor sensor, SensorStatus given, byte[] bytes) {
    int had = sensor.status == null ? 0 : sensor.status.length;
    boolean fits = bytes == null || sensorBytes + bytes.length - had <= capacity;
    byte[] value = fits ? bytes : null;
    SensorStatus status =
        fits ? given : SensorStatus.newBuilder().setStateValue(given.getStateValue()).build();
    SensorStatus before = sensor.parsedStatus().orElse(SensorStatus.getDefaultInstance());
    countAlarms(before, -1);
    countAlarms(status, 1);
    int active = Sensor.activeOf(status);
    sensor.group.alarms += active - sensor.activeAlarms;
    sensor.group.silent += silent(status.getState()) - silent(sensor.state);
    sensor.activeAlarms = active;
    count(states, sensor.state, -1);
    count(states, status.getState(), 1);
    sensor.state = status.getState();
    sensorBytes += (value == null ? 0 : value.length) - had;
    sensor.status = value;
    if (status.getAlarmsCount() > 0) {
      alarmed.put(sensor.id, sensor);
    } else {
      alarmed.remove(sensor.id);
    }
  }

  private static int silent(SensorState state) {
    return state == SensorState.SENSOR_STATE_SILENT ? 1 : 0;
  }

  private void countAlarms(SensorStatus status, int by) {
    for (AlarmState alarm : status.getAlarmsList()) {
      if (alarm.getActive()) {
        boolean isRules = alarm.getPriority() >= 0 && alarm.getPriority() < OTHER_PRIORITY;
        count(alarms, isRules ? alarm.getPriority() : OTHER_PRIORITY, by);
      }
    }
  }

  private static <K> void count(Map<K, Integer> counts, K key, int by) {
    counts.merge(key, by, (had, more) -> had + more == 0 ? null : had + more);
  }

  private void tell(String sensorId, Stored record) {
    Set<Listener> waiting = listeners.get(sensorId);
    if (waiting != null) {
      waiting.forEach(listener -> listener.record(record));
    }
  }

  /**
   * Records of a sensor from now on, as they come.
   *
   * @return those that a reader who knows these places has missed, oldest first; of topics that are
   *     not among the places none
   */
  public List<Stored> subscribe(String sensorId, List<Place> known, Listener listener) {
    reading.lock(); // Nothing is added meanwhile.
    try {
      List<Stored> missed = new ArrayList<>();
      Sensor sensor = sensors.get(sensorId);
      if (sensor != null && !known.isEmpty()) {
        long at = sensor.chain;
        for (int i = 0; i < MAX_WALK && at != RecordRing.NONE && ring.holds(at); i++) {
          Stored record = ring.at(at);
          if (known.stream().anyMatch(place -> isBehind(record, place))) {
            missed.add(record);
          }
          at = ring.before(at);
        }
        Collections.reverse(missed);
      }
      listeners.computeIfAbsent(sensorId, any -> new CopyOnWriteArraySet<>()).add(listener);
      return missed;
    } finally {
      reading.unlock();
    }
  }

  private static boolean isBehind(Stored record, Place place) {
    return record.topic() == place.topic()
        && record.partition() == place.partition()
        && record.offset() > place.offset();
  }

  /** Ends a subscription. */
  public void unsubscribe(String sensorId, Listener listener) {
    listeners.computeIfPresent(
        sensorId,
        (id, waiting) -> {
          waiting.remove(listener);
          return waiting.isEmpty() ? null : waiting;
        });
  }

  /** The newest record of a partition that is known; empty where the topic is not read. */
  public Optional<Place> lastOf(Topic topic, int partition) {
    reading.lock();
    try {
      return Optional.ofNullable(held.getOrDefault(topic, Map.of()).get(partition))
          .map(from -> new Place(topic, partition, from.lastOffset));
    } finally {
      reading.unlock();
    }
  }

  /** The first offset of a partition that is held. */
  public long heldFrom(Topic topic, int partition) {
    reading.lock();
    try {
      Map<Integer, Held> partitions = held.getOrDefault(topic, Map.of());
      return partitions.containsKey(partition) ? partitions.get(partition).fromOffset : 0;
    } finally {
      reading.unlock();
    }
  }

  /** Sensors in the order of their ids. */
  public Page<SensorView> sensors(SensorQuery query) {
    reading.lock();
    try {
      NavigableMap<String, Sensor> some = query.alarmActive() ? alarmed : sensors;
      List<SensorView> rows = new ArrayList<>();
      int bytes = 0;
      long total = query.isOfAll() ? sensors.size() : 0;
      boolean more = false;
      String start = query.prefix();
      if (query.isOfAll() && !query.after().isEmpty()) {
        start = query.after();
      }
      for (Sensor sensor : some.tailMap(start, true).values()) {
        if (!sensor.id.startsWith(query.prefix())) {
          break;
        }
        if (!isWanted(sensor, query)) {
          continue;
        }
        total += query.isOfAll() ? 0 : 1;
        if (!query.after().isEmpty() && sensor.id.compareTo(query.after()) <= 0) {
          continue;
        }
        if (rows.isEmpty() || rows.size() < query.limit() && bytes < MAX_PAGE_BYTES) {
          rows.add(sensor.view());
          bytes += sensor.bytes();
        } else {
          more = true;
          if (query.isOfAll()) {
            break;
          }
        }
      }
      return new Page<>(rows, total, more);
    } finally {
      reading.unlock();
    }
  }

  private static boolean isWanted(Sensor sensor, SensorQuery query) {
    return sensor.id.contains(query.contained())
        && (query.state().isEmpty() || query.state().get() == sensor.state)
        && (query.group().isEmpty() || query.group().get().equals(sensor.group.name))
        && (!query.alarmActive() || sensor.activeAlarms > 0);
  }

  /** A sensor; null if it is not known. */
  public SensorView sensor(String id) {
    reading.lock();
    try {
      Sensor sensor = sensors.get(id);
      return sensor == null ? null : sensor.view();
    } finally {
      reading.unlock();
    }
  }

  /** Groups in the order of their names. */
  public Page<GroupView> groups(String prefix, String after, int limit) {
    reading.lock();
    try {
      List<GroupView> rows = new ArrayList<>();
      int bytes = 0;
      String start = after.compareTo(prefix) > 0 ? after : prefix;
      for (Group group : groups.tailMap(start, !start.equals(after) || after.isEmpty()).values()) {
        if (!group.name.startsWith(prefix)) {
          break;
        }
        if (rows.size() == limit || bytes >= MAX_PAGE_BYTES) {
          return new Page<>(rows, groups.size(), true);
        }
        rows.add(group.view());
        bytes += group.bytes();
      }
      return new Page<>(rows, groups.size(), false);
    } finally {
      reading.unlock();
    }
  }

  /** A group; null if it is not known. */
  public GroupView group(String name) {
    reading.lock();
    try {
      Group group = groups.get(name);
      return group == null ? null : group.view();
    } finally {
      reading.unlock();
    }
  }

  /** Alarms, those of the most urgent priority first, then active ones, then by id and rule. */
  public List<Alarmed> alarms(Predicate<Alarmed> wanted) {
    List<Alarmed> found = new ArrayList<>();
    reading.lock();
    try {
      for (Sensor sensor : alarmed.values()) {
        for (AlarmState alarm : sensor.parsedStatus().orElseThrow().getAlarmsList()) {
          Alarmed one = new Alarmed(sensor.id, alarm);
          if (wanted.test(one)) {
            found.add(one);
          }
        }
      }
      return found;
    } finally {
      reading.unlock();
    }
  }

  /**
   * Recent records of a sensor on a topic, newest first; a later summary of a window is before an
   * earlier one.
   *
   * @param sinceMs append time from which on none may be missing
   */
  public History<Stored> ofSensor(String id, Topic topic, long sinceMs) {
    reading.lock();
    try {
      Sensor sensor = sensors.get(id);
      return sensor == null
          ? new History<>(List.of(), false)
          : walk(sensor.chain, topic, sinceMs, heldSince(topic, sensor.partition));
    } finally {
      reading.unlock();
    }
  }

  /** The same of a group. */
  public History<Stored> ofGroup(String name, long sinceMs) {
    reading.lock();
    try {
      Group group = groups.get(name);
      return group == null
          ? new History<>(List.of(), false)
          : walk(group.chain, Topic.GROUPS, sinceMs, sinceMs);
    } finally {
      reading.unlock();
    }
  }

  private History<Stored> walk(long chain, Topic topic, long sinceMs, long heldSinceMs) {
    List<Stored> found = new ArrayList<>();
    long at = chain;
    int walked = 0;
    while (at != RecordRing.NONE && ring.holds(at) && walked < MAX_WALK) {
      Stored record = ring.at(at);
      if (record.topic() == topic) {
        if (record.appendMs() < sinceMs) {
          return new History<>(found, true);
        }
        found.add(record);
      }
      at = ring.before(at);
      walked++;
    }
    return new History<>(found, walked < MAX_WALK && sinceMs >= heldSinceMs);
  }

  private long heldSince(Topic topic, int partition) {
    Held from = held.getOrDefault(topic, Map.of()).get(partition);
    if (from != null && from.whole) {
      return Long.MIN_VALUE;
    }
    return from == null || from.fromMs == 0 ? Long.MAX_VALUE : from.fromMs;
  }

  /** The whole. */
  public Overview overview(long nowMs) {
    reading.lock();
    try {
      Map<String, Double> letters = new TreeMap<>();
      refusedRates.forEach((reason, rates) -> letters.put(reason, rates.perSecond(nowMs)));
      return new Overview(
          new EnumMap<>(states),
          unlisted,
          readingRates.at(nowMs),
          windowRates.perSecond(nowMs),
          lateRates.perSecond(nowMs),
          letters,
          new TreeMap<>(alarms),
          historyFromMs(),
          List.copyOf(newestWindows),
          List.copyOf(sizes.keySet()));
    } finally {
      reading.unlock();
    }
  }

  private long historyFromMs() {
    long oldest = Long.MAX_VALUE;
    long cut = 0;
    for (Held from : held.getOrDefault(Topic.WINDOWS, Map.of()).values()) {
      if (from.fromMs > 0) {
        oldest = Math.min(oldest, from.fromMs);
        cut = from.whole ? cut : Math.max(cut, from.fromMs);
      }
    }
    return cut > 0 ? cut : oldest == Long.MAX_VALUE ? 0 : oldest;
  }

  /** Readings a second in the windows of a partition. */
  public double readingsPerSecond(int partition, long nowMs) {
    reading.lock();
    try {
      Rates rates = partitionRates.get(partition);
      return rates == null ? 0 : rates.perSecond(nowMs);
    } finally {
      reading.unlock();
    }
  }

  /** Memory by part, by estimate: sensors, ring, letters. */
  public Map<String, Long> bytes() {
    reading.lock();
    try {
      return Map.of(
          "sensors", sensorBytes, "ring", ring.bytes(), "refused", late.bytes() + refused.bytes());
    } finally {
      reading.unlock();
    }
  }
}

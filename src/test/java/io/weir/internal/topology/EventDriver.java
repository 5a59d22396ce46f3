package io.weir.internal.topology;

import io.weir.internal.event.EventRefusal;
import io.weir.internal.event.FoldReason;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.event.Timers;
import io.weir.internal.group.Groups;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.HeapState;
import io.weir.internal.store.HeapStore;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.Tick;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.GroupSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The topology of events with partition 0 of its topics, under the driver of Kafka Streams. */
final class EventDriver implements AutoCloseable {
  /** The wall clock bounds timestamps of what is written, and is to be ahead of append times. */
  private static final Instant FAR_AHEAD = Instant.parse("2100-01-01T00:00:00Z");

  static final String EVENTS = Topic.EVENTS.defaultName();
  static final String SCHEDULED = Topic.SCHEDULED.defaultName();

  /** A key of partition 0. */
  static final String KEY = keys(1).get(0);

  /**
   * What was emitted, and when.
   *
   * @param appendMs append time of the record with which it was
   */
  record Emitted<T>(long appendMs, T message) {}

  private final EventSettings settings;
  private final Map<String, Map<String, byte[]>> changelogs = new LinkedHashMap<>();
  private final Set<String> asked = new TreeSet<>();
  final Counted counts = new Counted();
  final Cuts cuts = new Cuts();
  private TopologyTestDriver driver;
  private final List<Emitted<GroupSummary>> groupsBeforeRestart = new ArrayList<>();
  private long elapsedMs;
  private long appendMs = 10_000_000;

  EventDriver(FoldSpec spec) {
    this(spec, TimerLimits.DEFAULT);
  }

  EventDriver(FoldSpec spec, TimerLimits timers) {
    this(spec, timers, Optional.empty());
  }

  EventDriver(FoldSpec spec, TimerLimits timers, Optional<GroupSettings> groups) {
    this(spec, timers, groups, ValueFormat.BARE);
  }

  /** With a schema registry. */
  EventDriver(FoldSpec spec, ValueFormat values) {
    this(spec, TimerLimits.DEFAULT, Optional.empty(), values);
  }

  private EventDriver(
      FoldSpec spec, TimerLimits timers, Optional<GroupSettings> groups, ValueFormat values) {
    this(spec, timers, groups, values, SenderRules.anybody());
  }

  /** Where not everybody may send. */
  EventDriver(FoldSpec spec, SenderRules senders) {
    this(spec, TimerLimits.DEFAULT, Optional.empty(), ValueFormat.BARE, senders);
  }

  private EventDriver(
      FoldSpec spec,
      TimerLimits timers,
      Optional<GroupSettings> groups,
      ValueFormat values,
      SenderRules senders) {
    settings =
        new EventSettings(
            TopicNames.ALL,
            timers,
            Optional.of(spec),
            groups,
            Limits.DEFAULT,
            WeirDriver.GATEWAYS,
            300_000,
            1 << 20,
            values,
            WaitLimit.of(0),
            senders,
            SensorPartition.COUNT);
    start();
  }

  /** Different keys of partition 0. */
  static List<String> keys(int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < count; i++) {
      if (io.weir.topic.SensorPartition.of("account_" + i) == 0) {
        keys.add("account_" + i);
      }
    }
    return keys;
  }

  private void start() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "weir-events");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.STATE_DIR_CONFIG, WeirDriver.stateDir());
    ThreadStores stores = new ThreadStores();
    Progress progress = new Progress(() -> elapsedMs);
    Map<String, TaskServices> tasks = new HashMap<>();
    for (String topic : TopicNames.ALL.all()) {
      tasks.put(topic, tasks(topic, stores, progress));
    }
    EventServices services = new EventServices(counts, tasks);
    driver = new TopologyTestDriver(EventTopology.build(settings, services), config, FAR_AHEAD);
  }

  private TaskServices tasks(String topic, ThreadStores stores, Progress progress) {
    return new TaskServices(
        () -> elapsedMs, partition -> asked.add(topic), cuts, stores, progress.input(topic));
  }

  /**
   * Stops, stays away while the brokers' clock goes on, and starts with what the changelogs hold.
   *
   * @param lost stores whose changelogs lost all
   */
  void restart(long awayMs, String... lost) {
    for (String store : EventTopology.STORES) {
      Map<String, byte[]> changelog =
          changelogs.computeIfAbsent(store, name -> new LinkedHashMap<>());
      for (TestRecord<byte[], byte[]> change : read("weir-events-" + store + "-changelog")) {
        String key = new String(change.key(), StandardCharsets.ISO_8859_1);
        changelog.remove(key);
        if (change.value() != null) {
          changelog.put(key, change.value());
        }
      }
    }
    changelogs.keySet().removeAll(Set.of(lost));
    startAgain(awayMs);
  }

  /** The same, where changelogs lost what came since the last restart, as a person accepted. */
  void restartWithLoss(long records) {
    startAgain(0);
    cuts.lose(records);
  }

  private void startAgain(long awayMs) {
    List<Emitted<GroupSummary>> before = groups();
    groupsBeforeRestart.addAll(before);
    driver.close();
    asked.clear();
    appendMs += awayMs;
    start();
    changelogs.forEach(
        (store, changelog) -> {
          if (driver.getStateStore(store) == null) {
            return;
          }
          HeapState state = ((HeapStore<?>) driver.getStateStore(store)).state();
          changelog.forEach(
              (key, value) -> state.restore(key.getBytes(StandardCharsets.ISO_8859_1), value));
          state.resume();
        });
  }

  /** Append time of the newest record. */
  long nowMs() {
    return appendMs;
  }

  /** The brokers' clock goes on, and nobody looks at it. */
  void pass(long millis) {
    appendMs += millis;
    elapsedMs += millis;
  }

  void send(String topic, Event... events) {
    send(topic, EventBatch.newBuilder().addAllEvents(List.of(events)).build());
  }

  void send(String topic, EventBatch batch) {
    pipe(topic, batch.toByteArray(), new RecordHeaders());
  }

  void pipe(String topic, byte[] value, Headers headers) {
    pipe(topic, null, value, headers);
  }

  void pipe(String topic, byte[] key, byte[] value, Headers headers) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(key, value, headers, appendMs));
  }

  /** Time passes and nobody sends; ticks come as they are asked for. */
  void silence(long millis) {
    for (long left = millis; left > 0; left -= 100) {
      pass(Math.min(left, 100));
      driver.advanceWallClockTime(Duration.ofMillis(Math.min(left, 100)));
      for (String topic : List.copyOf(asked)) {
        asked.remove(topic);
        Headers headers = new RecordHeaders();
        Tick.mark(headers);
        pipe(topic, Tick.value(), headers);
      }
    }
  }

  List<Emitted<FoldedEvent>> folds() {
    return read(Topic.FOLDED.defaultName()).stream()
        .map(record -> new Emitted<>(record.timestamp(), parsed(record)))
        .toList();
  }

  private static FoldedEvent parsed(TestRecord<byte[], byte[]> record) {
    try {
      FoldedEvent fold = FoldedEvent.parseFrom(payload(record.value()));
      if (!fold.getKey().equals(new String(record.key(), StandardCharsets.UTF_8))) {
        throw new AssertionError("the record's key is not the fold's");
      }
      return fold;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Emitted<GroupSummary>> groups() {
    List<Emitted<GroupSummary>> groups = new ArrayList<>(groupsBeforeRestart);
    groupsBeforeRestart.clear();
    for (TestRecord<byte[], byte[]> record : read(Topic.GROUPS.defaultName())) {
      try {
        groups.add(new Emitted<>(record.timestamp(), GroupSummary.parseFrom(record.value())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return groups;
  }

  /** Events that the topology wrote: those that came due. */
  List<Emitted<Event>> fired() {
    List<Emitted<Event>> fired = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(EVENTS)) {
      try {
        EventBatch.parseFrom(payload(record.value()))
            .getEventsList()
            .forEach(event -> fired.add(new Emitted<>(record.timestamp(), event)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return fired;
  }

  List<DeadLetter> deadLetters() {
    return read(Topic.DEAD_LETTERS.defaultName()).stream()
        .map(record -> new DeadLetter(record.key(), record.value(), record.headers()))
        .toList();
  }

  /** Without what a schema registry puts before it. */
  private static byte[] payload(byte[] value) {
    try {
      return Arrays.copyOfRange(value, Frame.payloadOffset(value), value.length);
    } catch (UndecodableException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Values as they are on a topic. */
  List<byte[]> values(String topic) {
    return read(topic).stream().map(TestRecord::value).toList();
  }

  /** Records as they are on a topic. */
  List<TestRecord<byte[], byte[]>> read(String topic) {
    return driver.producedTopicNames().contains(topic)
        ? driver
            .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList()
        : List.of();
  }

  @Override
  public void close() {
    driver.close();
  }

  /** Measures as plain numbers. */
  static final class Counted implements EventMeasures {
    long deletedUnread;

    @Override
    public void deletedUnread(long records) {
      deletedUnread += records;
    }

    long events;
    long duplicates;
    long refused;
    long unsigned;
    long reopened;
    long latestMs;
    final Map<Groups.Outcome, Integer> grouped = new EnumMap<>(Groups.Outcome.class);
    int dropped;
    int droppedEarly;
    int groupsLeftOut;

    @Override
    public void events(Source source, int count) {
      events += count;
    }

    @Override
    public void duplicate(Source source, int count) {
      duplicates += count;
    }

    @Override
    public void refused(Source source, RejectReason reason, int count) {
      refused += count;
    }

    @Override
    public void refused(Source source, EventRefusal reason, int count) {
      refused += count;
    }

    @Override
    public void unsigned(Source source) {
      unsigned++;
    }

    @Override
    public void gatewaysFile(boolean accepted) {}

    @Override
    public void undecodable(Source source, RejectReason reason) {
      refused++;
    }

    @Override
    public void ordered(Timers.Outcome outcome) {}

    @Override
    public void fired(long lateMs) {
      latestMs = Math.max(latestMs, lateMs);
    }

    @Override
    public void folded(FoldReason reason, long count) {}

    @Override
    public void reopened() {
      reopened++;
    }

    @Override
    public void waiting(int partition, int timers, long bytes) {}

    @Override
    public void folding(int partition, int keys, long bytes) {}

    @Override
    public void grouped(Groups.Outcome outcome) {
      grouped.merge(outcome, 1, Integer::sum);
    }

    @Override
    public void groupEmitted(boolean again) {}

    @Override
    public void groupDropped(boolean early) {
      dropped++;
      droppedEarly += early ? 1 : 0;
    }

    @Override
    public void groupsLeftOut(int windows) {
      groupsLeftOut += windows;
    }

    @Override
    public void grouping(int partition, int windows, long bytes) {}

    @Override
    public void appendTimeWentBack() {}

    @Override
    public void gone(Source source, int partition) {}
  }
}

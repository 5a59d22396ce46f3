package io.weir.keyed;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.ops.KeyedMeters;
import io.weir.internal.ops.Metric;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.HeapState;
import io.weir.internal.store.HeapStore;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.topology.EventSettings;
import io.weir.internal.topology.InputLog;
import io.weir.internal.topology.Progress;
import io.weir.internal.topology.SenderRules;
import io.weir.internal.topology.TaskServices;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.Tick;
import io.weir.lab.oracle.ScriptedHandler;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.topic.RecordLimits;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** Handlers with partition 0 of the events, under the driver of Kafka Streams. */
final class KeyedDriver implements AutoCloseable {
  private static final Instant FAR_AHEAD = Instant.parse("2100-01-01T00:00:00Z");
  private static final String EVENTS = Topic.EVENTS.defaultName();

  /** Where handlers emit to, texts with texts as keys. */
  static final String OUT = ScriptedHandler.OUT;

  /** A key of partition 0. */
  static final String KEY = keys(1).get(0);

  /** A record that was emitted, and when. */
  record Out(String key, String value, long appendMs) {}

  /** A dead letter: its reason, its event, and whether it is said to come from a redrive. */
  record DeadLetter(
      String reason,
      Event event,
      String message,
      boolean redriven,
      String gateway,
      String offset) {}

  /** What differs between tests. */
  record Options(
      StartOn startOn,
      OnFailure onFailure,
      long idleMs,
      KeyedLimits limits,
      TimerLimits timers,
      Retries retries,
      int maxOutputBytes) {
    static final Options DEFAULT =
        new Options(
            StartOn.ANY_EVENT,
            OnFailure.GO_ON,
            3_600_000,
            KeyedLimits.DEFAULT,
            TimerLimits.DEFAULT,
            Retries.NONE,
            1 << 20);

    Options startOn(StartOn which) {
      return new Options(which, onFailure, idleMs, limits, timers, retries, maxOutputBytes);
    }

    Options onFailure(OnFailure what) {
      return new Options(startOn, what, idleMs, limits, timers, retries, maxOutputBytes);
    }

    Options idleMs(long ms) {
      return new Options(startOn, onFailure, ms, limits, timers, retries, maxOutputBytes);
    }

    Options limits(KeyedLimits other) {
      return new Options(startOn, onFailure, idleMs, other, timers, retries, maxOutputBytes);
    }

    Options retries(Retries other) {
      return new Options(startOn, onFailure, idleMs, limits, timers, other, maxOutputBytes);
    }

    Options timers(TimerLimits other) {
      return new Options(startOn, onFailure, idleMs, limits, other, retries, maxOutputBytes);
    }
  }

  private final Options options;
  private final Map<String, byte[]> changelog = new LinkedHashMap<>();
  private final List<String> stops = new ArrayList<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final KeyedMeters meters = new KeyedMeters(registry);
  private Supplier<? extends KeyHandler> handlers;
  private ControlLog control = ControlLog.NONE;
  private SenderRules senders = SenderRules.anybody();
  private LongConsumer onTick = appendMs -> {};
  private TopologyTestDriver driver;
  private boolean asked;
  private long elapsedMs;
  private CallTimes times;
  private long appendMs = 10_000_000;

  KeyedDriver(Options options, Supplier<? extends KeyHandler> handlers) {
    this.options = options;
    this.handlers = handlers;
    start();
  }

  /** Different keys of partition 0. */
  static List<String> keys(int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < count; i++) {
      if (SensorPartition.of("pump-" + i) == 0) {
        keys.add("pump-" + i);
      }
    }
    return keys;
  }

  private void start() {
    times = new CallTimes(() -> elapsedMs, CallTimes.DEFAULT_MS);
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "handlers");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(
        StreamsConfig.STATE_DIR_CONFIG,
        Path.of("target", "driver-state", "keyed-" + ProcessHandle.current().pid()).toString());
    TaskServices services =
        new TaskServices(
            () -> elapsedMs,
            partition -> asked = true,
            InputLog.UNCHECKED,
            new ThreadStores(),
            new Progress(() -> elapsedMs).input(EVENTS));
    driver =
        new TopologyTestDriver(KeyedTopology.build(plan(), meters, services), config, FAR_AHEAD);
  }

  private KeyedPlan plan() {
    EventSettings events =
        new EventSettings(
            TopicNames.ALL,
            options.timers(),
            Optional.empty(),
            Optional.empty(),
            Limits.DEFAULT,
            new GatewayRules(600_000, GatewayRules.MARK_TTL_MS, 50, 300_000),
            300_000,
            1 << 20,
            ValueFormat.BARE,
            WaitLimit.of(0),
            senders,
            SensorPartition.COUNT);
    Outputs outputs =
        Outputs.none("state")
            .with(OUT, new StringSerializer(), new StringSerializer())
            .limited(
                topic -> new RecordLimits(options.maxOutputBytes(), false, Long.MAX_VALUE),
                topic -> 3);
    return new KeyedPlan(
        EVENTS,
        handlers,
        options.startOn(),
        options.onFailure(),
        options.retries(),
        options.idleMs(),
        outputs,
        options.limits(),
        times,
        () -> {},
        stops::add,
        control,
        events);
  }

  /** Receives each tick before it is processed. */
  void onTick(LongConsumer listener) {
    onTick = listener;
  }

  /** The orders, from the next restart on. */
  void control(ControlLog orders) {
    control = orders;
  }

  /** Who may send, from the next restart on. */
  void senders(SenderRules rules) {
    senders = rules;
  }

  /** Names an order in the log. */
  void mark(ResetMark mark) {
    Headers headers = new RecordHeaders();
    mark.mark(headers);
    pipe(ResetMark.value(), headers);
  }

  /** Another version of the handler, from the next restart on. */
  void deploy(Supplier<? extends KeyHandler> version) {
    handlers = version;
  }

  /**
   * Stops, stays away while the brokers' clock goes on, and starts with what the changelog holds.
   */
  void restart(long awayMs) {
    for (TestRecord<byte[], byte[]> change :
        read("handlers-" + KeyedTopology.STORE + "-changelog")) {
      String key = new String(change.key(), StandardCharsets.ISO_8859_1);
      changelog.remove(key);
      if (change.value() != null) {
        changelog.put(key, change.value());
      }
    }
    driver.close();
    asked = false;
    appendMs += awayMs;
    start();
    HeapState state = ((HeapStore<?>) driver.getStateStore(KeyedTopology.STORE)).state();
    changelog.forEach(
        (key, value) -> state.restore(key.getBytes(StandardCharsets.ISO_8859_1), value));
    state.resume();
  }

  /** Entries of the changelog, as of the last restart. */
  int entries() {
    return changelog.size();
  }

  long nowMs() {
    return appendMs;
  }

  /** The brokers' clock goes on, and nobody looks at it. */
  void pass(long millis) {
    appendMs += millis;
    elapsedMs += millis;
  }

  /** As the thread that watches over calls does. */
  void lookAtCalls() {
    times.look();
  }

  void send(Event... events) {
    send(EventBatch.newBuilder().addAllEvents(List.of(events)).build());
  }

  void send(EventBatch batch) {
    pipe(batch.toByteArray(), new RecordHeaders());
  }

  /** Sends as `weir redrive` does. */
  void redrive(Event event) {
    Origin deadLetter = new Origin(Topic.DEAD_LETTERS.defaultName(), 0, 7);
    pipe(
        EventBatch.newBuilder().addEvents(event).build().toByteArray(),
        DeadLetterHeaders.ofRedrive(deadLetter));
  }

  /** The driver commits after each record. */
  void pipe(byte[] value, Headers headers) {
    times.ofThread().committed();
    driver
        .createInputTopic(EVENTS, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(null, value, headers, appendMs));
  }

  /** Time passes and nobody sends; ticks come as they are asked for. */
  void silence(long millis) {
    for (long left = millis; left > 0; left -= 100) {
      pass(Math.min(left, 100));
      driver.advanceWallClockTime(Duration.ofMillis(Math.min(left, 100)));
      if (asked) {
        asked = false;
        Headers headers = new RecordHeaders();
        Tick.mark(headers);
        onTick.accept(appendMs);
        pipe(Tick.value(), headers);
      }
    }
  }

  /** Reasons for which handlers stopped the application. */
  List<String> stops() {
    return stops;
  }

  /** What handlers emitted since it was last asked. */
  List<Out> out() {
    return read(OUT).stream()
        .map(record -> new Out(text(record.key()), text(record.value()), record.timestamp()))
        .toList();
  }

  /** The batches that handlers sent to a topic since it was last asked. */
  List<EventBatch> sent(Topic topic) {
    return read(topic.defaultName()).stream().map(KeyedDriver::batch).toList();
  }

  private static EventBatch batch(TestRecord<byte[], byte[]> record) {
    try {
      return EventBatch.parseFrom(record.value());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  List<DeadLetter> deadLetters() {
    List<DeadLetter> deadLetters = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(Topic.DEAD_LETTERS.defaultName())) {
      String reason = header(record, "weir.reason");
      String message = header(record, "__streams.errors.message");
      boolean redriven = header(record, DeadLetterHeaders.REDRIVE_TOPIC) != null;
      batch(record)
          .getEventsList()
          .forEach(
              event ->
                  deadLetters.add(
                      new DeadLetter(
                          reason,
                          event,
                          message,
                          redriven,
                          header(record, DeadLetterHeaders.GATEWAY),
                          header(record, DeadLetterHeaders.OFFSET))));
    }
    return deadLetters;
  }

  /** The reasons of the records on the topic of dead letters since it was last asked. */
  List<String> reasons() {
    return read(Topic.DEAD_LETTERS.defaultName()).stream()
        .map(record -> header(record, "weir.reason"))
        .toList();
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : text(header.value());
  }

  /** A metric, summed over its labels. */
  double metric(Metric metric) {
    return registry.find(metric.meterName()).meters().stream()
        .mapToDouble(meter -> meter.measure().iterator().next().getValue())
        .sum();
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
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
}

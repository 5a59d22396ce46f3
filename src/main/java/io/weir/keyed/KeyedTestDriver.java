package io.weir.keyed;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.event.LiveKey;
import io.weir.internal.ops.KeyedMeters;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.HeapStore;
import io.weir.internal.store.InputState;
import io.weir.internal.store.KeyedState;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.topology.EventSettings;
import io.weir.internal.topology.InputLog;
import io.weir.internal.topology.Progress;
import io.weir.internal.topology.SenderRules;
import io.weir.internal.topology.TaskServices;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.Tick;
import io.weir.topic.RecordLimits;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs the handlers of an application without a broker, for tests. It is the application's own
 * processor under Kafka Streams' {@code TopologyTestDriver}: calls, retries, timers, idle ends,
 * limits and dead letters are those of production. The test moves the time.
 *
 * <pre>{@code
 * try (KeyedTestDriver driver = KeyedTestDriver.of(Posts.application(), Instant.EPOCH)) {
 *   driver.send(Event.newBuilder().setKey("post_1").setTimestampMs(1).build());
 *   driver.advance(Duration.ofMinutes(5));
 *   assertEquals(1, driver.emitted("alarms", strings, strings).size());
 * }
 * }</pre>
 *
 * <p>It needs {@code org.apache.kafka:kafka-streams-test-utils} on the class path of the tests, in
 * the version of Weir's Kafka.
 *
 * <p>Differences from production: all keys are in one partition; each event is committed before the
 * next; outputs accept records of 1 MiB, with or without a key, in any partition; {@code
 * callTimeout} does not interrupt; {@code startAt} has no effect, as the topic is empty at first;
 * settings of signatures, permissions and Confluent framing have no effect. The application's own
 * {@link KeyContext#send} reaches its handlers at once, as it does in production after the commit;
 * {@link KeyContext#sendAt} is only recorded, because {@code weir events} is another application.
 *
 * <p>For one thread. Methods throw {@link IllegalStateException} after the application stopped
 * itself ({@link OnFailure#STOP}) or the driver was closed.
 */
public final class KeyedTestDriver implements AutoCloseable {
  /**
   * An event that was refused, or whose call failed.
   *
   * @param reason of docs/reference/events.md, such as HANDLER
   * @param message what happened; of a failed call with the exception
   * @param event the event
   */
  public record DeadLetter(String reason, String message, Event event) {}

  private static final int MAX_RECORD_BYTES = 1 << 20;

  /** Two ticks of a partition are at least so far apart. */
  private static final long TICK_MS = 100;

  private final KeyedSettings settings;
  private final Outputs outputs;
  private final KeyedMeters meters = new KeyedMeters(new SimpleMeterRegistry());
  private final Map<String, byte[]> changelog = new LinkedHashMap<>();
  private final Map<String, Queue<Integer>> partitions = new LinkedHashMap<>();
  private final Map<String, List<TestRecord<byte[], byte[]>>> unread = new LinkedHashMap<>();
  private final CallTimes times;
  private TopologyTestDriver driver;
  private String stopped;
  private long nowMs;

  private KeyedTestDriver(KeyedSettings settings, long nowMs) {
    this.settings = settings;
    this.nowMs = nowMs;
    this.times = new CallTimes(() -> this.nowMs, settings.callTimeoutMs());
    RecordLimits limits = new RecordLimits(MAX_RECORD_BYTES, false, Long.MAX_VALUE);
    this.outputs = settings.outputs().limited(topic -> limits, topic -> Integer.MAX_VALUE);
    start();
  }

  /**
   * Starts an application with an empty state.
   *
   * @param application as for production; its {@code start} and {@code run} are not used
   * @param now the brokers' time at the start, from 1970 to 2200: append time of the next event
   * @throws IllegalArgumentException if a setting or the time is wrong
   */
  public static KeyedTestDriver of(KeyedApplication.Builder application, Instant now) {
    long nowMs = now.toEpochMilli();
    if (nowMs < 0 || now.isAfter(Instant.parse("2200-01-01T00:00:00Z"))) {
      throw new IllegalArgumentException("starts at " + now + "; expected: 1970 to 2200");
    }
    return new KeyedTestDriver(application.settings(), nowMs);
  }

  private void start() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, settings.applicationId());
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    TaskServices services =
        new TaskServices(
            () -> nowMs,
            partition -> {},
            InputLog.UNCHECKED,
            new ThreadStores(),
            new Progress(() -> nowMs).input(settings.topic()));
    KeyedPlan plan =
        settings.plan(outputs, times, () -> {}, why -> stopped = why, ControlLog.NONE, events());
    driver =
        new TopologyTestDriver(
            KeyedTopology.build(plan, meters, services, partitioner()),
            config,
            Instant.ofEpochMilli(nowMs));
  }

  private EventSettings events() {
    long maxFutureSkewMs = settings.config().windows().maxFutureSkew().toMillis();
    return new EventSettings(
        settings.config().topics().of(User.HANDLER),
        settings.config().events().timers(),
        Optional.empty(),
        Optional.empty(),
        settings.config().limits(),
        settings.config().state().gateways(maxFutureSkewMs),
        maxFutureSkewMs,
        MAX_RECORD_BYTES,
        ValueFormat.BARE,
        WaitLimit.of(0),
        SenderRules.anybody(),
        1);
  }

  /** Notes the partition, which the driver of Kafka Streams does not return. */
  private StreamPartitioner<byte[], Emission> partitioner() {
    Emission.Partitioner own = new Emission.Partitioner();
    return (topic, key, emission, count) -> {
      partitions.computeIfAbsent(topic, any -> new ArrayDeque<>()).add(emission.partition());
      return own.partitions(topic, key, emission, count);
    };
  }

  /** The brokers' time. */
  public Instant now() {
    return Instant.ofEpochMilli(nowMs);
  }

  /**
   * Appends events to the topic of events, now, as one batch of a publisher. Returns when they and
   * all due timers have been handled. An event that Weir refuses, such as one without {@code
   * timestamp_ms}, is a dead letter.
   */
  public void send(Event... events) {
    pipe(EventBatch.newBuilder().addAllEvents(List.of(events)).build().toByteArray(), headers());
  }

  /**
   * Lets time pass: timers fire, failed calls are retried and idle keys end, each at its time.
   *
   * @param duration 0 or more; costs a call for each timer, and one for each half of an idle end or
   *     minute, whichever is shorter, while a key lives
   */
  public void advance(Duration duration) {
    long untilMs = nowMs + duration.toMillis();
    if (untilMs < nowMs) {
      throw new IllegalArgumentException("advance by " + duration + "; expected: 0 or more");
    }
    long nextTickMs = nowMs;
    long dueMs = dueMs();
    while (dueMs <= untilMs && nextTickMs <= untilMs) {
      moveTo(Math.max(nextTickMs, dueMs));
      nextTickMs = nowMs + TICK_MS;
      Headers headers = headers();
      Tick.mark(headers);
      pipe(Tick.value(), headers);
      dueMs = dueMs();
    }
    moveTo(untilMs);
  }

  private long dueMs() {
    long dueMs = state().dueMs();
    return dueMs == InputState.NEVER ? dueMs : Math.max(dueMs, nowMs);
  }

  private void moveTo(long ms) {
    long passedMs = ms - nowMs;
    if (passedMs > 0) {
      nowMs = ms;
      driver.advanceWallClockTime(Duration.ofMillis(passedMs));
    }
  }

  private static Headers headers() {
    return new RecordHeaders();
  }

  private void pipe(byte[] value, Headers headers) {
    requireRunning();
    times.ofThread().committed();
    driver
        .createInputTopic(settings.topic(), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(null, value, headers, nowMs));
  }

  private void requireRunning() {
    if (stopped != null) {
      throw new IllegalStateException("the application has stopped: " + stopped);
    }
  }

  /**
   * Stops the application and starts it again from its changelog, with new handler objects: what a
   * handler kept only in its fields is lost.
   *
   * @param away 0 or more; the brokers' time meanwhile
   */
  public void restart(Duration away) {
    requireRunning();
    List.copyOf(outputs.topics()).forEach(this::keepUnread);
    for (Topic topic : List.of(Topic.EVENTS, Topic.SCHEDULED, Topic.DEAD_LETTERS)) {
      keepUnread(topics().of(topic));
    }
    for (TestRecord<byte[], byte[]> change :
        produced(settings.applicationId() + "-" + KeyedTopology.STORE + "-changelog")) {
      String key = new String(change.key(), StandardCharsets.ISO_8859_1);
      changelog.remove(key);
      if (change.value() != null) {
        changelog.put(key, change.value());
      }
    }
    driver.close();
    nowMs += Math.max(0, away.toMillis());
    start();
    KeyedState state = state();
    changelog.forEach(
        (key, value) -> state.restore(key.getBytes(StandardCharsets.ISO_8859_1), value));
    state.resume();
  }

  private void keepUnread(String topic) {
    unread.computeIfAbsent(topic, any -> new ArrayList<>()).addAll(produced(topic));
  }

  private TopicNames topics() {
    return settings.config().topics();
  }

  /**
   * The records that handlers have emitted to a topic since the last call for it, in order. {@code
   * partition} is null if Kafka's partitioner chooses it.
   *
   * @param topic declared with {@link KeyedApplication.Builder#output}
   * @throws IllegalArgumentException if it is not declared
   */
  public <K, V> List<ProducerRecord<K, V>> emitted(
      String topic, Deserializer<K> keys, Deserializer<V> values) {
    outputs.of(topic);
    List<ProducerRecord<K, V>> records = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(topic)) {
      int partition = partitions.get(topic).remove();
      records.add(
          new ProducerRecord<>(
              topic,
              partition == Emission.BY_KEY ? null : partition,
              record.timestamp(),
              record.key() == null ? null : keys.deserialize(topic, record.key()),
              record.value() == null ? null : values.deserialize(topic, record.value()),
              record.headers()));
    }
    return records;
  }

  /** The events that handlers have {@linkplain KeyContext#send sent} since the last call. */
  public List<Event> sent() {
    return events(topics().of(Topic.EVENTS));
  }

  /**
   * The events that handlers have sent {@linkplain KeyContext#sendAt at a time} since the last
   * call, with {@code due_ms}.
   */
  public List<Event> scheduled() {
    return events(topics().of(Topic.SCHEDULED));
  }

  private List<Event> events(String topic) {
    return read(topic).stream().flatMap(record -> batch(record).getEventsList().stream()).toList();
  }

  private static EventBatch batch(TestRecord<byte[], byte[]> record) {
    return Protobuf.own(EventBatch.getDefaultInstance(), record.value());
  }

  /** The dead letters since the last call. */
  public List<DeadLetter> deadLetters() {
    List<DeadLetter> deadLetters = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(topics().deadLetters())) {
      String reason = header(record, DeadLetterHeaders.REASON);
      String message = header(record, DeadLetterHeaders.MESSAGE);
      batch(record)
          .getEventsList()
          .forEach(event -> deadLetters.add(new DeadLetter(reason, message, event)));
    }
    return deadLetters;
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
    keepUnread(topic);
    return unread.remove(topic);
  }

  private List<TestRecord<byte[], byte[]>> produced(String topic) {
    return driver.producedTopicNames().contains(topic)
        ? driver
            .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList()
        : List.of();
  }

  /** When a key was started; empty if it is not alive. */
  public Optional<Instant> startedAt(String key) {
    return live(key).map(found -> Instant.ofEpochMilli(found.startedMs()));
  }

  /** A copy of a key's state, or null if it has none. */
  public byte[] state(String key) {
    return live(key).map(LiveKey::state).map(byte[]::clone).orElse(null);
  }

  /** A key's state as an object, or null if it has none. */
  public <T> T state(String key, Serde<T> serde) {
    byte[] state = state(key);
    return state == null ? null : serde.deserializer().deserialize(outputs.stateTopic(), state);
  }

  /** The waiting timers of a key, scheduled events included, by id, with their times. */
  public SortedMap<String, Instant> timers(String key) {
    SortedMap<String, Instant> due = new TreeMap<>();
    live(key).stream()
        .flatMap(found -> found.timers().stream())
        .filter(timer -> !timer.isRetry())
        .forEach(timer -> due.put(timer.id(), Instant.ofEpochMilli(timer.dueMs())));
    return due;
  }

  private Optional<LiveKey> live(String key) {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    return Optional.ofNullable(state().keys().get(name, 0, name.length)).filter(LiveKey::isStarted);
  }

  private KeyedState state() {
    return ((KeyedState) ((HeapStore<?>) driver.getStateStore(KeyedTopology.STORE)).state());
  }

  /** Why the application stopped itself; empty while it runs. */
  public Optional<String> stopped() {
    return Optional.ofNullable(stopped);
  }

  /** Ends the application and closes the serializers of its outputs. */
  @Override
  public void close() {
    driver.close();
    outputs.close();
  }
}

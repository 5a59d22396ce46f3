package io.weir.topology;

import io.weir.reading.Limits;
import io.weir.registry.Patience;
import io.weir.registry.ValueFormat;
import io.weir.store.HeapStore;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import io.weir.window.WindowSpec;
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
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The topology under a test driver, with explicit append times, a clock that only tests move, and
 * restarts: the state goes over through what was written to the changelog, and through nothing
 * else.
 */
final class WeirDriver implements AutoCloseable {
  static final String READINGS = "weir.readings";
  static final String WINDOWS = "weir.windows";
  static final String LATE = "weir.late";
  static final String DEAD_LETTERS = "weir.dead-letters";
  private static final String CHANGELOG = "weir-" + WeirTopology.STORE + "-changelog";

  /** Windows of 10 s, grace 5 s, idle after 30 s, forgotten after 24 h. */
  static final WindowSpec SPEC =
      new WindowSpec(
          10_000,
          5_000,
          0,
          30_000,
          WindowSpec.IdleRule.OVER_IN_PARTITION_TIME,
          Duration.ofDays(1).toMillis());

  private final Counts counts = new Counts();
  private final Map<String, byte[]> changelog = new LinkedHashMap<>();
  private TopologySettings settings;
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> input;
  private long elapsedMs;
  private int changelogRecords;

  WeirDriver(WindowSpec spec) {
    this(settings(spec, 1 << 20));
  }

  WeirDriver(TopologySettings settings) {
    this.settings = settings;
    start();
  }

  static TopologySettings settings(WindowSpec spec, int maxBytes) {
    return new TopologySettings(
        READINGS,
        WINDOWS,
        LATE,
        DEAD_LETTERS,
        spec,
        Limits.DEFAULT,
        Duration.ofMinutes(5).toMillis(),
        maxBytes,
        maxBytes,
        ValueFormat.BARE,
        Patience.of(0));
  }

  private void start() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "weir");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.STATE_DIR_CONFIG, Path.of("target", "driver-state").toString());
    driver =
        new TopologyTestDriver(
            WeirTopology.draw(settings, counts, this::clock), config, Instant.ofEpochMilli(0));
    input = driver.createInputTopic(READINGS, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private long clock() {
    return elapsedMs;
  }

  /** Stops and starts anew with the state that the changelog holds, perhaps with other settings. */
  void restart(WindowSpec spec) {
    readChangelog();
    driver.close();
    TopologySettings s = settings;
    settings =
        new TopologySettings(
            s.readings(),
            s.windows(),
            s.late(),
            s.deadLetters(),
            spec,
            s.limits(),
            s.maxFutureSkewMs(),
            s.maxLateBytes(),
            s.maxDeadLetterBytes(),
            s.values(),
            s.registryPatience());
    start();
    restore();
  }

  /** Starts with the state that a changelog holds, its keys as ISO 8859-1; only before all else. */
  void adopt(Map<String, byte[]> entries) {
    changelog.putAll(entries);
    restore();
  }

  private void restore() {
    HeapStore store = (HeapStore) driver.getStateStore(WeirTopology.STORE);
    changelog.forEach(
        (key, value) -> store.state().restore(key.getBytes(StandardCharsets.ISO_8859_1), value));
    store.state().resume(elapsedMs);
  }

  void restart() {
    restart(settings.window());
  }

  private void readChangelog() {
    for (TestRecord<byte[], byte[]> change : read(CHANGELOG)) {
      changelogRecords++;
      String key = new String(change.key(), StandardCharsets.ISO_8859_1);
      changelog.remove(key);
      if (change.value() != null) {
        changelog.put(key, change.value());
      }
    }
  }

  /** What a compacted changelog holds now, its keys as ISO 8859-1. */
  Map<String, byte[]> changelog() {
    readChangelog();
    return Map.copyOf(changelog);
  }

  /** Entries that a compacted changelog has now. */
  int changelogEntries() {
    readChangelog();
    return changelog.size();
  }

  /** Entries of one kind, by the first letter of their keys. */
  long changelogEntries(char kind) {
    readChangelog();
    return changelog.keySet().stream().filter(key -> key.charAt(0) == kind).count();
  }

  /** The largest value in the changelog, in bytes. */
  int largestChangelogEntry() {
    readChangelog();
    return changelog.values().stream().mapToInt(value -> value.length).max().orElse(0);
  }

  /** Records written to the changelog so far. */
  int changelogRecords() {
    readChangelog();
    return changelogRecords;
  }

  /** A batch comes; the clock goes on as append times do. */
  void send(long appendMs, ReadingBatch batch) {
    send(appendMs, batch.getGatewayId().getBytes(StandardCharsets.UTF_8), batch.toByteArray());
  }

  void send(long appendMs, byte[] key, byte[] value) {
    send(appendMs, key, value, new RecordHeaders());
  }

  void send(long appendMs, byte[] key, byte[] value, Headers headers) {
    input.pipeInput(new TestRecord<>(key, value, headers, appendMs));
  }

  /** Time passes and no record comes. */
  void silence(long millis) {
    elapsedMs += millis;
    driver.advanceWallClockTime(Duration.ofMillis(millis));
  }

  /** The clock runs while records come: no punctuation yet. */
  void tick(long millis) {
    elapsedMs += millis;
  }

  List<WindowSummary> windows() {
    List<WindowSummary> windows = new ArrayList<>();
    for (TestRecord<byte[], byte[]> record : read(WINDOWS)) {
      try {
        WindowSummary window = WindowSummary.parseFrom(record.value());
        if (!window.getSensorId().equals(new String(record.key(), StandardCharsets.UTF_8))) {
          throw new AssertionError("key is not the sensor's id");
        }
        windows.add(window);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return windows;
  }

  /** The values of windows as they stand on the topic. */
  List<byte[]> windowValues() {
    return read(WINDOWS).stream().map(TestRecord::value).toList();
  }

  List<Letter> late() {
    return letters(LATE);
  }

  List<Letter> deadLetters() {
    return letters(DEAD_LETTERS);
  }

  private List<Letter> letters(String topic) {
    return read(topic).stream()
        .map(record -> new Letter(record.key(), record.value(), record.headers()))
        .toList();
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
    return driver.producedTopicNames().contains(topic)
        ? driver
            .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList()
        : List.of();
  }

  Counts counts() {
    return counts;
  }

  @Override
  public void close() {
    driver.close();
  }
}

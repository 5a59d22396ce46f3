package io.weir.internal.topology;

import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.permission.Permissions;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.store.HeapState;
import io.weir.internal.store.HeapStore;
import io.weir.internal.store.KeptWindows;
import io.weir.internal.store.PartitionState;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.LeftWindows;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.Tick;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.signing.SigningPolicy;
import io.weir.topic.LatestForm;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
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
final class WeirDriver extends OutputTopics implements AutoCloseable {
  static final String READINGS = "weir.readings";

  private static final String CHANGELOG = "weir-" + WeirTopology.STORE + "-changelog";

  /** Windows of 10 s, grace 5 s, idle after 30 s, forgotten after 24 h. */
  static final WindowSpec SPEC =
      WindowSpec.of(
          10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, Duration.ofDays(1).toMillis());

  static final WindowLimits LIMITS = WindowLimits.ofSensors(30_000);

  /** Few, and soon forgotten. */
  static final GatewayRules GATEWAYS =
      new GatewayRules(600_000, GatewayRules.MARK_TTL_MS, 50, 300_000);

  private final Counts counts = new Counts();
  private final Cuts cuts = new Cuts();
  private final Orders control;
  private ResetMark lastLoss;
  private final Map<String, byte[]> changelog = new LinkedHashMap<>();
  private TopologySettings settings;

  /** Null where each gateway may publish all sensors. */
  private Permissions permissions;

  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> input;
  private final Set<Integer> asked = new TreeSet<>();
  private LongConsumer onTick = appendMs -> {};
  private BiConsumer<Long, byte[]> onRecord = (appendMs, value) -> {};
  private Recording recording;
  private long elapsedMs;
  private long appendMs;
  private long appendedAtMs;
  private int changelogRecords;

  /** Of the record that comes next: offsets begin again at each start. */
  private long nextOffset;

  WeirDriver(WindowSpec spec) {
    this(settings(spec, 1 << 20));
  }

  WeirDriver(TopologySettings settings) {
    this(settings, new Orders());
  }

  WeirDriver(TopologySettings settings, Orders control) {
    this.settings = settings;
    this.control = control;
    start();
  }

  static TopologySettings settings(WindowSpec spec, int maxBytes) {
    return settings(spec, maxBytes, GATEWAYS, LIMITS);
  }

  static TopologySettings settings(
      WindowSpec spec, int maxBytes, GatewayRules gateways, WindowLimits limits) {
    return settings(spec, maxBytes, gateways, limits, SigningPolicy.OFF);
  }

  /** The usual settings, with signatures. */
  static TopologySettings settings(SigningPolicy signing) {
    return settings(SPEC, 1 << 20, GATEWAYS, LIMITS, signing);
  }

  private static TopologySettings settings(
      WindowSpec spec,
      int maxBytes,
      GatewayRules gateways,
      WindowLimits limits,
      SigningPolicy signing) {
    return new TopologySettings(
        TopicNames.ALL,
        spec,
        Limits.DEFAULT,
        gateways,
        limits,
        Duration.ofMinutes(5).toMillis(),
        maxBytes,
        maxBytes,
        ValueFormat.BARE,
        WaitLimit.of(0),
        LatestForm.OFF,
        StatusPlan.OFF,
        signing);
  }

  private void start() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "weir");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir());
    driver =
        new TopologyTestDriver(
            WeirTopology.build(settings, services()), config, Instant.ofEpochMilli(0));
    nextOffset = 0;
    if (recording != null) {
      recording.restarted();
    }
    input = driver.createInputTopic(READINGS, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** The id of the life that began last. */
  private long lives;

  private TopologyServices services() {
    return new TopologyServices(
        counts,
        new TaskServices(
            () -> elapsedMs,
            asked::add,
            cuts,
            new ThreadStores(),
            new Progress(() -> elapsedMs).input(READINGS)),
        control,
        Optional.ofNullable(permissions).map(now -> () -> permissions),
        () -> ++lives);
  }

  /** Restarts; from now on gateways may publish these sensors only. */
  void restart(Permissions now) {
    permissions = now;
    restart();
  }

  /** From the next record on another version of the file holds. */
  void permit(Permissions now) {
    permissions = now;
  }

  /** As below, with other status and alarms. */
  void restart(StatusPlan plan) {
    settings = Variant.of(settings, plan);
    restart(settings.window());
  }

  /**
   * Stops and starts again with the state that the changelog holds, perhaps with other settings.
   */
  void restart(WindowSpec spec) {
    readChangelog();
    driver.close();
    settings = Variant.of(settings, spec);
    start();
    restore();
  }

  private void restore() {
    HeapState state = ((HeapStore<?>) driver.getStateStore(WeirTopology.STORE)).state();
    changelog.forEach(
        (key, value) -> state.restore(key.getBytes(StandardCharsets.ISO_8859_1), value));
    state.resume();
  }

  void restart() {
    restart(settings.window());
  }

  /** Stops, forgets all, and starts again: a reset. */
  void forgetAll() {
    readChangelog();
    changelog.clear();
    restart();
  }

  /** The windows that the changelog holds, as the operators' command looks at them. */
  KeptWindows keptWindows() {
    PartitionState kept = PartitionState.ofWindows(settings.window().sizeMs());
    changelog()
        .forEach((key, value) -> kept.restore(key.getBytes(StandardCharsets.ISO_8859_1), value));
    kept.resume();
    KeptWindows windows = new KeptWindows();
    windows.add(kept, true);
    return windows;
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

  /** What a compacted changelog holds now, in its order, its keys as ISO 8859-1. */
  Map<String, byte[]> changelog() {
    readChangelog();
    return new LinkedHashMap<>(changelog);
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
    this.appendMs = appendMs;
    appendedAtMs = elapsedMs;
    nextOffset++;
    onRecord.accept(appendMs, value);
    if (recording != null) {
      recording.input(appendMs, key, value, headers);
    }
    input.pipeInput(new TestRecord<>(key, value, headers, appendMs));
  }

  /** Records in front of the next one are deleted before they are read. */
  void cut(long records) {
    cuts.cut(records);
  }

  /** Records in front of the next one that were applied are not in the state. */
  void lose(long records) {
    cuts.lose(records);
  }

  /** The newest gap that was met. */
  Gap gap() {
    PartitionState state =
        (PartitionState) ((HeapStore<?>) driver.getStateStore(WeirTopology.STORE)).state();
    return state.gaps().newest().orElseThrow();
  }

  /** The mark of an order comes that accepts the newest gap. */
  void acceptLoss(long appendMs) {
    acceptLoss(appendMs, "weir", gap());
  }

  /** The mark of the last order that accepts a loss comes once more. */
  void copyLoss(long appendMs) {
    reset(appendMs, lastLoss);
  }

  /** The mark of an order comes that accepts a gap, for an application. */
  void acceptLoss(long appendMs, String applicationId, Gap gap) {
    acceptLoss(appendMs, applicationId, gap, new LeftWindows());
  }

  /** The same; some windows are not emitted. */
  void acceptLoss(long appendMs, String applicationId, Gap gap, LeftWindows left) {
    lastLoss = control.acceptLoss(applicationId, gap, left);
    reset(appendMs, lastLoss);
  }

  /** A batch of readings that were withheld is sent again, since the loss was accepted. */
  void sendWithheld(long appendMs, ReadingBatch batch) {
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin(LATE, 0, 7));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REDRIVE_REASON, "WITHHELD");
    send(appendMs, new byte[0], batch.toByteArray(), headers);
  }

  /** Time passes and nobody sends; ticks come as they are asked for, by the clock of the broker. */
  void silence(long millis) {
    long lookMs = TickTimes.ofQuiet(settings.window().idleTimeoutMs() / 3).lookEveryMs();
    long untilMs = elapsedMs + millis;
    while (elapsedMs < untilMs) {
      long stepMs = Math.min(lookMs, untilMs - elapsedMs);
      elapsedMs += stepMs;
      driver.advanceWallClockTime(Duration.ofMillis(stepMs));
      if (!asked.isEmpty()) {
        asked.clear();
        long tickMs = appendMs + elapsedMs - appendedAtMs;
        tick(tickMs);
        onTick.accept(tickMs);
      }
    }
  }

  /** Time passes until the first tick is asked for, which does not come. */
  void silenceUntilAsked(long millis) {
    elapsedMs += millis;
    driver.advanceWallClockTime(Duration.ofMillis(millis));
  }

  /** Tells the append times of ticks that were asked for and came. */
  void onTick(LongConsumer listener) {
    onTick = listener;
  }

  /** Keeps everything from now on as it would be on the topics. */
  void record(Recording all) {
    recording = all;
  }

  /** Tells the append time and value of each record before it is read. */
  void onRecord(BiConsumer<Long, byte[]> listener) {
    onRecord = onRecord.andThen(listener);
  }

  /** Of the last record since the start. */
  long lastOffset() {
    return nextOffset - 1;
  }

  /** A tick comes. */
  void tick(long appendMs) {
    Headers headers = new RecordHeaders();
    Tick.mark(headers);
    send(appendMs, null, Tick.value(), headers);
  }

  /** The mark of a reset comes. */
  void reset(long appendMs, ResetMark mark) {
    Headers headers = new RecordHeaders();
    mark.mark(headers);
    send(appendMs, null, ResetMark.value(), headers);
  }

  /** The clock of the application runs on, and nobody looks at it. */
  void clock(long millis) {
    elapsedMs += millis;
  }

  /** Which partitions wait for a tick that was asked for. */
  Set<Integer> asked() {
    return asked;
  }

  @Override
  List<TestRecord<byte[], byte[]>> read(String topic) {
    if (!driver.producedTopicNames().contains(topic)) {
      return List.of();
    }
    List<TestRecord<byte[], byte[]>> records =
        driver
            .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList();
    if (recording != null) {
      records.forEach(record -> recording.output(topic, record));
    }
    return records;
  }

  Counts counts() {
    return counts;
  }

  @Override
  public void close() {
    driver.close();
  }

  /** Of this process alone, as several run tests at once. */
  static String stateDir() {
    return Path.of("target", "driver-state", "" + ProcessHandle.current().pid()).toString();
  }
}

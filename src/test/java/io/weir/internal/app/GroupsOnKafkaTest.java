package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.ops.EventMeters;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Groups of windows on a real broker, {@code weir events} and {@code weir run} killed; {@code
 * -Dweir.kills=20} for more of them.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class GroupsOnKafkaTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final int KILLS = Integer.getInteger("weir.kills", 1);
  private static final List<String> COMMANDS = List.of("run", "events");
  private static final int WHOLES = 6;
  private static final int SPLIT = 8;
  private static final int READINGS = 200;
  private static final long SIZE_MS = 10_000;

  @TempDir private Path dir;
  private final Random random = new Random(SEED);

  /** By sensor and start of the window. */
  private final Map<String, Sent> expected = new TreeMap<>();

  private AppRig rig;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() {
    rig = new AppRig(dir);
    new TopicAdmin(rig.admin(), TopicNames.ALL.of(User.EVENTS)).createMissing();
    new TopicAdmin(rig.admin(), TopicNames.ALL.of(User.RUN)).createMissing();
    producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close(Duration.ZERO);
    rig.close();
  }

  /**
   * The last record of each group's window is the merge of the last summaries of its sensors. Runs
   * where {@code -Dweir.kills} says how often: it takes minutes.
   */
  @Test
  @EnabledIfSystemProperty(named = "weir.kills", matches = "\\d+")
  void eventsKilledAgainAndAgain_groupsAreTheMergeOfTheNewestSummaries() throws Exception {
    try {
      for (int kill = 0; kill <= KILLS; kill++) {
        try (WeirProcess events = process("events", kill)) {
          events.awaitReady();
          int before = groups().size();
          sendSummaries(60);
          if (kill < KILLS) {
            events.await("emitting", () -> groups().size() > before);
            sendSummaries(20);
            events.kill();
          } else {
            events.await("emitting all", () -> newest(groups()).equals(merged()));
          }
        }
      }
      assertThat(newest(groups())).isEqualTo(merged());
      Map<String, List<Integer>> revisions =
          groups().stream()
              .collect(
                  Collectors.groupingBy(
                      GroupsOnKafkaTest::name,
                      Collectors.mapping(GroupSummary::getRevision, Collectors.toList())));
      revisions
          .values()
          .forEach(
              of -> {
                for (int i = 0; i < of.size(); i++) {
                  assertThat(of.get(i)).isEqualTo(i);
                }
              });
      assertThat(read(Topic.DEAD_LETTERS)).isEmpty();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    }
  }

  /**
   * Sensors that a publisher splits in eight, read as groups, come to the numbers of the same
   * sensors in one piece, and to those of the readings that were sent.
   */
  @Test
  void sensorsSplitInEight_readAsGroups_areTheWhole_afterKills() throws Exception {
    Map<String, WeirProcess> processes = new HashMap<>();
    try (ReadingPublisher gateway = gateway()) {
      long startMs = System.currentTimeMillis() / SIZE_MS * SIZE_MS - SIZE_MS * 4 * (KILLS + 30);
      int windows = 0;
      for (String command : COMMANDS) {
        processes.put(command, process(command, 0));
      }
      processes.values().forEach(WeirProcess::awaitReady);
      int first = random.nextInt(COMMANDS.size());
      for (int kill = 0; kill <= KILLS; kill++) {
        int before = groups().size();
        for (int i = 0; i < 3; i++, windows++) {
          publish(gateway, startMs + windows * SIZE_MS);
        }
        if (kill < KILLS) {
          processes.get("events").await("emitting", () -> groups().size() > before);
          publish(gateway, startMs + windows++ * SIZE_MS);
          String killed = COMMANDS.get((first + kill) % COMMANDS.size());
          processes.get(killed).kill();
          processes.put(killed, process(killed, kill + 1));
        }
      }
      // The last window of each sensor stays open.
      Map<String, String> expected = expectedBefore(startMs + (windows - 1) * SIZE_MS);
      processes.get("events").await("emitting all", () -> split().equals(expected));
      assertThat(wholes()).isEqualTo(expected);
      assertThat(expected).hasSize(WHOLES * (windows - 1));
      assertThat(read(Topic.DEAD_LETTERS)).isEmpty();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    } finally {
      processes.values().forEach(WeirProcess::close);
    }
  }

  /** An earlier life may have published the window with both sensors. */
  @Test
  void newApplication_leavesOutAWindow_ofWhichTheTopicLostASensor() throws Exception {
    long startMs = System.currentTimeMillis() / SIZE_MS * SIZE_MS;
    long laterMs = startMs + Duration.ofHours(3).toMillis();
    String cut = "m/0";
    String whole =
        Stream.iterate(1, i -> i + 1)
            .map(i -> "m/" + i)
            .filter(sensor -> SensorPartition.of(sensor) != SensorPartition.of(cut))
            .findFirst()
            .orElseThrow();
    for (long start : List.of(startMs, laterMs)) {
      for (String sensor : List.of(cut, whole)) {
        WindowSummary.Builder summary =
            WindowSummary.newBuilder().setSensorId(sensor).setCount(1).setSum(1).setMax(1);
        summary.setWindowStartMs(start).setWindowEndMs(start + SIZE_MS);
        append(Topic.WINDOWS, SensorPartition.of(sensor), summary.build().toByteArray());
      }
    }
    producer.flush();
    TopicPartition partition =
        new TopicPartition(Topic.WINDOWS.defaultName(), SensorPartition.of(cut));
    rig.admin().deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
    Map<String, String> options =
        Map.of(
            "events", "true",
            "groups", "true",
            "window.size", "10s",
            "groups.size", "10s",
            "groups.quiet", "500ms",
            "groups.hold", "2s");
    try (StreamsApplication events =
        EventApplication.start(
            rig.config(Map.of(), options), new EventMeters(new SimpleMeterRegistry()))) {
      Await.until(() -> groups().stream().anyMatch(group -> group.getSensors() == 2));
      assertThat(groups()).extracting(GroupSummary::getWindowStartMs).containsOnly(laterMs);
      assertThat(events.ended()).isNotDone();
    }
  }

  private ReadingPublisher gateway() {
    PublisherSettings.Builder settings =
        PublisherSettings.builder("line-7").bootstrapServers(rig.bootstrapServers());
    for (int sensor = 0; sensor < WHOLES; sensor++) {
      settings.splitInto("vib-" + sensor, SPLIT);
    }
    return ReadingPublisher.start(settings.build());
  }

  /** A window of each sensor, as a whole and in eight parts. */
  private void publish(ReadingPublisher gateway, long windowStartMs) throws Exception {
    for (int sensor = 0; sensor < WHOLES; sensor++) {
      Sent sent = new Sent();
      for (int i = 0; i < READINGS; i++) {
        double value = random.nextGaussian() * Math.pow(10, random.nextInt(30) - 15);
        long timestampMs = windowStartMs + i * (SIZE_MS / READINGS);
        sent.add(value);
        for (String id : List.of("whole-", "vib-")) {
          assertThat(gateway.offer(new Reading(id + sensor, timestampMs, value)))
              .isEqualTo(Offer.ACCEPTED);
        }
      }
      expected.put(sensor + " " + windowStartMs, sent);
    }
    assertThat(gateway.flush(Duration.ofMinutes(1))).isTrue();
  }

  /** What was sent of a sensor for a window, added up without rounding. */
  private static final class Sent {
    private long count;
    private BigDecimal sum = BigDecimal.ZERO;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    void add(double value) {
      count++;
      sum = sum.add(new BigDecimal(value));
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }

  private Map<String, String> expectedBefore(long openMs) {
    Map<String, String> numbers = new TreeMap<>();
    expected.forEach(
        (name, sent) -> {
          if (!name.endsWith(" " + openMs)) {
            numbers.put(name, numbers(sent.count, sent.sum.doubleValue(), sent.min, sent.max));
          }
        });
    return numbers;
  }

  private WeirProcess process(String command, int number) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_BOOTSTRAP_SERVERS", rig.bootstrapServers());
    environment.put("WEIR_STATISTICS", "sum_rest");
    environment.put("WEIR_WINDOW_GRACE", "0s");
    environment.put("WEIR_IDLE_TIMEOUT", "10m");
    environment.put("WEIR_EVENTS", "true");
    environment.put("WEIR_GROUPS", "true");
    environment.put("WEIR_GROUPS_SIZE", "10s");
    environment.put("WEIR_GROUPS_QUIET", "500ms");
    environment.put("WEIR_GROUPS_HOLD", "2s");
    environment.put("WEIR_INSTANCE_ID", command + "-0");
    environment.put("WEIR_STATE_DIR", dir + "/state-" + command);
    environment.put("WEIR_THREADS", "2");
    return WeirProcess.start(
        dir.resolve(command + "-" + number + ".log"),
        environment,
        List.of("io.weir.cli.Weir", command));
  }

  /** Summaries as weir run writes them, revisions that begin again among them. */
  private void sendSummaries(int count) {
    for (int i = 0; i < count; i++) {
      String sensor = "machine-" + random.nextInt(12) + "/" + random.nextInt(20);
      long startMs = SIZE_MS * (1 + random.nextInt(5));
      double value = random.nextGaussian() * Math.pow(10, random.nextInt(30));
      WindowSummary summary =
          WindowSummary.newBuilder()
              .setSensorId(sensor)
              .setWindowStartMs(startMs)
              .setWindowEndMs(startMs + SIZE_MS)
              .setCount(random.nextInt(3))
              .setSum(value)
              .addSumRest(Math.ulp(value) / 8)
              .setMin(random.nextInt(3))
              .setMax(5 + random.nextInt(3))
              .setRevision(random.nextInt(3))
              .build();
      append(Topic.WINDOWS, SensorPartition.of(sensor), summary.toByteArray());
    }
  }

  private void append(Topic topic, int partition, byte[] value) {
    producer.send(new ProducerRecord<>(topic.defaultName(), partition, null, value));
  }

  private List<ConsumerRecord<byte[], byte[]>> read(Topic topic) {
    return Committed.of(rig.bootstrapServers(), List.of(topic.defaultName()));
  }

  private List<GroupSummary> groups() {
    return read(Topic.GROUPS).stream()
        .map(
            record -> {
              try {
                return GroupSummary.parseFrom(record.value());
              } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }

  private Map<String, WindowSummary> windows() {
    Map<String, WindowSummary> last = new LinkedHashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : read(Topic.WINDOWS)) {
      try {
        WindowSummary window = WindowSummary.parseFrom(record.value());
        last.put(window.getSensorId() + " " + window.getWindowStartMs(), window);
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }
    return last;
  }

  private static String name(GroupSummary group) {
    return group.getGroup() + " " + group.getWindowStartMs();
  }

  private static Map<String, GroupSummary> newest(List<GroupSummary> groups) {
    Map<String, GroupSummary> newest = new TreeMap<>();
    groups.forEach(group -> newest.put(name(group), group.toBuilder().clearRevision().build()));
    return newest;
  }

  private Map<String, GroupSummary> merged() {
    Map<String, List<WindowSummary>> byGroup = new TreeMap<>();
    windows()
        .values()
        .forEach(
            window ->
                byGroup
                    .computeIfAbsent(
                        GroupTemplate.DEFAULT.groupOf(window.getSensorId())
                            + " "
                            + window.getWindowStartMs(),
                        any -> new ArrayList<>())
                    .add(window));
    Map<String, GroupSummary> merged = new TreeMap<>();
    byGroup.forEach(
        (name, windows) -> merged.put(name, GroupMerge.of(name.split(" ")[0], windows)));
    return merged;
  }

  /** What sensors in one piece come to, by number and window. */
  private Map<String, String> wholes() {
    Map<String, String> wholes = new TreeMap<>();
    windows()
        .forEach(
            (name, window) -> {
              if (name.startsWith("whole-")) {
                wholes.put(
                    name.substring("whole-".length()),
                    numbers(window.getCount(), window.getSum(), window.getMin(), window.getMax()));
              }
            });
    return wholes;
  }

  /** The same of those in eight parts. */
  private Map<String, String> split() {
    Map<String, String> split = new TreeMap<>();
    newest(groups())
        .forEach(
            (name, group) -> {
              if (name.startsWith("vib-")) {
                split.put(
                    name.substring("vib-".length()),
                    numbers(group.getCount(), group.getSum(), group.getMin(), group.getMax()));
              }
            });
    return split;
  }

  private static String numbers(long count, double sum, double min, double max) {
    return count
        + " "
        + Long.toHexString(Double.doubleToLongBits(sum))
        + " "
        + Long.toHexString(Double.doubleToLongBits(min))
        + " "
        + Long.toHexString(Double.doubleToLongBits(max));
  }
}

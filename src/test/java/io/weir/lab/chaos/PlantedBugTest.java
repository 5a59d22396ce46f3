package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.explain.ExplainSettings;
import io.weir.internal.explain.TopicLog;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.oracle.CompletenessCounts;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.NaiveOrders;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.PartitionCheck;
import io.weir.reading.IgnoredAttestation;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One traffic on one broker, read by the topology once as it is and once with each planted bug,
 * each time with a thread that dies in the middle: the oracle finds nothing, and something.
 */
class PlantedBugTest {
  private static final int PARTITION = 0;
  private static final Map<String, String> APPEND_TIME =
      Map.of("message.timestamp.type", "LogAppendTime");
  private static final Map<String, String> QUICK_TO_NOTICE_A_DEATH =
      Map.of("KAFKA_SESSION_TIMEOUT_MS", "3000", "KAFKA_HEARTBEAT_INTERVAL_MS", "500");
  private static final int BATCHES = 400;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** Those that show in steady traffic; the others want a fault, and are tried by weir chaos. */
  private static final Set<PlantedBug> TRIED =
      EnumSet.of(
          PlantedBug.NONE,
          PlantedBug.NO_DEDUPLICATION,
          PlantedBug.DOUBLED_EMISSION,
          PlantedBug.LATE_DROPPED,
          PlantedBug.AT_LEAST_ONCE,
          PlantedBug.REPLACED_MEMBER_SPEAKS,
          PlantedBug.ATTESTED_OVER_A_GAP,
          PlantedBug.FINAL_AMENDED);

  /** Those of them that change numbers, or lose what a number is explained with. */
  private static final Set<PlantedBug> OF_NUMBERS =
      EnumSet.of(PlantedBug.NO_DEDUPLICATION, PlantedBug.LATE_DROPPED);

  private static final Map<PlantedBug, ExplainedWindows> EXPLAINED =
      new EnumMap<>(PlantedBug.class);
  private static final Map<PlantedBug, Findings> FOUND = new EnumMap<>(PlantedBug.class);

  /** By the records, and so the same for all. */
  private static CompletenessCounts completeness;

  @TempDir static Path dir;

  @BeforeAll
  static void runAll() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      createTopics(admin);
      send(kafka.bootstrapServers());
      Map<PlantedBug, KafkaStreams> running = new EnumMap<>(PlantedBug.class);
      for (PlantedBug bug : TRIED) {
        running.put(bug, start(bug, kafka.bootstrapServers()));
      }
      for (PlantedBug bug : TRIED) {
        FOUND.put(bug, judge(bug, kafka.bootstrapServers()));
        EXPLAINED.put(bug, explain(bug, admin, kafka.bootstrapServers()));
      }
      running.values().forEach(streams -> streams.close(Duration.ofSeconds(10)));
    }
  }

  @AfterAll
  static void forget() {
    FOUND.clear();
    EXPLAINED.clear();
  }

  @Test
  void noBug_andADyingThread_isExact() {
    Findings found = FOUND.get(PlantedBug.NONE);

    assertThat(found.lines()).isEmpty();
    assertThat(found.areNone()).isTrue();
    assertThat(completeness.windows()).isGreaterThan(100);
    assertThat(completeness.broken()).isPositive();
    assertThat(completeness.ignored()).containsKey(IgnoredAttestation.GAP);
  }

  @Test
  void withoutABugInTheNumbers_eachExplainedWindowMatches() {
    EXPLAINED.forEach(
        (bug, windows) -> {
          if (!OF_NUMBERS.contains(bug)) {
            assertThat(windows.wrong()).as(bug.label()).isEmpty();
            assertThat(windows.isExact()).isTrue();
            assertThat(windows.lines().get(0)).startsWith("explain: 15 windows, 15 match, ");
          }
        });
  }

  @Test
  void aBugInTheNumbers_makesSomeDiffer() {
    for (PlantedBug bug : OF_NUMBERS) {
      assertThat(EXPLAINED.get(bug).isExact()).as(bug.label()).isFalse();
      assertThat(EXPLAINED.get(bug).wrong())
          .anySatisfy(each -> assertThat(each).startsWith("differs"));
    }
  }

  static Stream<PlantedBug> planted() {
    return TRIED.stream().filter(bug -> bug != PlantedBug.NONE);
  }

  @ParameterizedTest
  @MethodSource("planted")
  void everyPlantedBug_isFound(PlantedBug bug) {
    assertThat(FOUND.get(bug).areNone()).isFalse();
  }

  @Test
  void noDeduplication_countsReadingsTwice() {
    assertThat(FOUND.get(PlantedBug.NO_DEDUPLICATION).doubled()).isPositive();
  }

  @Test
  void lateDropped_losesReadings() {
    assertThat(FOUND.get(PlantedBug.LATE_DROPPED).lost()).isPositive();
    assertThat(FOUND.get(PlantedBug.LATE_DROPPED).wrongWindows()).isZero();
  }

  @Test
  void doubledEmission_isAWrongRecord() {
    assertThat(FOUND.get(PlantedBug.DOUBLED_EMISSION).wrongRecords()).isPositive();
    assertThat(FOUND.get(PlantedBug.DOUBLED_EMISSION).wrongWindows()).isZero();
  }

  @Test
  void recordOfAReplacedMember_isAWrongRecord() {
    assertThat(FOUND.get(PlantedBug.REPLACED_MEMBER_SPEAKS).wrongRecords()).isPositive();
    assertThat(FOUND.get(PlantedBug.REPLACED_MEMBER_SPEAKS).lines().toString())
        .contains("without cause");
  }

  @Test
  void attestationOverAGap_isAWrongRecord() {
    assertThat(FOUND.get(PlantedBug.ATTESTED_OVER_A_GAP).wrongRecords()).isPositive();
  }

  @Test
  void finalWindowThatIsAmended_isAWrongRecordAlone() {
    assertThat(FOUND.get(PlantedBug.FINAL_AMENDED).wrongRecords()).isPositive();
    assertThat(FOUND.get(PlantedBug.FINAL_AMENDED).lost()).isZero();
    assertThat(FOUND.get(PlantedBug.FINAL_AMENDED).wrongWindows()).isZero();
  }

  /** Where the readings are the same for all. */
  private static TopicNames topics(PlantedBug bug) {
    String name = bug.label();
    return new TopicNames(
        "weir.readings", name + ".windows", name + ".late", name + ".dead-letters");
  }

  /** With one partition each: what is tested is the oracle. */
  private static void createTopics(Admin admin) throws Exception {
    List<NewTopic> topics =
        TRIED.stream()
            .flatMap(bug -> topics(bug).all().stream())
            .distinct()
            .map(name -> new NewTopic(name, 1, (short) 1).configs(APPEND_TIME))
            .toList();
    admin.createTopics(topics).all().get();
  }

  /**
   * Half a window's worth of readings in every batch; every 7th batch comes twice, every 9th is
   * old, every 20th comes 5 places late. All attest that the sensor is complete through their
   * newest time; those that are old do not keep to what was attested before.
   */
  private static void send(String bootstrapServers) {
    String sensor = sensor();
    long startMs = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      byte[] late = null;
      for (int i = 1; i <= BATCHES; i++) {
        long timestampMs = startMs + 1000L * i - (i % 9 == 0 ? 60_000 : 0);
        byte[] value = batch(sensor, i, timestampMs);
        if (i % 20 == 0) {
          late = value;
          continue;
        }
        producer.send(new ProducerRecord<>(topics(PlantedBug.NONE).readings(), 0, null, value));
        if (i % 7 == 0) {
          producer.send(new ProducerRecord<>(topics(PlantedBug.NONE).readings(), 0, null, value));
        }
        if (i % 20 == 5 && late != null) {
          producer.send(new ProducerRecord<>(topics(PlantedBug.NONE).readings(), 0, null, late));
        }
      }
    }
  }

  private static String sensor() {
    int suffix = 0;
    while (SensorPartition.of("sensor-" + suffix) != PARTITION) {
      suffix++;
    }
    return "sensor-" + suffix;
  }

  private static byte[] batch(String sensor, int sequence, long timestampMs) {
    return ReadingBatch.newBuilder()
        .setGatewayId("gateway")
        .setBootId(1)
        .setSequence(sequence)
        .setOrdered(true)
        .addReadings(
            Reading.newBuilder().setSensorId(sensor).setTimestampMs(timestampMs).setValue(sequence))
        .build()
        .toByteArray();
  }

  private static KafkaStreams start(PlantedBug bug, String bootstrapServers) {
    TopicNames topics = topics(bug);
    Map<String, String> settings = new HashMap<>(ChaosSettings.statistics());
    settings.putAll(
        Map.ofEntries(
            Map.entry("bootstrap.servers", bootstrapServers),
            Map.entry("application.id", bug.label()),
            Map.entry("topic.windows", topics.windows()),
            Map.entry("topic.late", topics.late()),
            Map.entry("topic.dead-letters", topics.deadLetters()),
            Map.entry("window.size", ChaosSettings.WINDOW_SIZE.toMillis() + "ms"),
            Map.entry("window.grace", ChaosSettings.WINDOW_GRACE.toMillis() + "ms"),
            Map.entry("allowed.lateness", ChaosSettings.LATENESS.toMillis() + "ms"),
            Map.entry("idle.timeout", ChaosSettings.IDLE_TIMEOUT.toMillis() + "ms"),
            Map.entry("threads", "1"),
            Map.entry("state.dir", dir.resolve(bug.label()).toString())));
    WeirConfig config = WeirConfig.of(new Properties(), QUICK_TO_NOTICE_A_DEATH, settings);
    KafkaStreams streams =
        SabotagedRun.streams(bug, config, new SabotagedClients(bug, topics).dyingOnce());
    streams.setUncaughtExceptionHandler(death -> StreamThreadExceptionResponse.REPLACE_THREAD);
    streams.start();
    return streams;
  }

  private static ExplainedWindows explain(PlantedBug bug, Admin admin, String bootstrapServers) {
    TopicNames topics = topics(bug);
    ExplainedWindows windows = new ExplainedWindows(1, OF_NUMBERS.contains(bug) ? 60 : 15);
    ExplainSettings settings =
        new ExplainSettings(
            topic -> topics.byTopic().getOrDefault(topic, topics.control()),
            ChaosSettings.WINDOW_SIZE.toMillis(),
            ChaosSettings.WINDOW_GRACE.toMillis(),
            ChaosSettings.LATENESS.toMillis(),
            ChaosSettings.IDLE_TIMEOUT.toMillis(),
            ChaosSettings.MAX_FUTURE_SKEW.toMillis(),
            List.of(),
            0,
            Duration.ofDays(31).toMillis(),
            Duration.ofDays(37).toMillis(),
            false,
            Long.MAX_VALUE);
    try (CommittedTopic topic = new CommittedTopic(bootstrapServers);
        TopicLog log =
            new TopicLog(
                settings, bug.label(), admin, () -> CommittedTopic.consumer(bootstrapServers))) {
      topic.read(
          List.of(new TopicPartition(topics.windows(), PARTITION)),
          record -> windows.take(record, any -> true));
      windows.explain(settings, log, detail -> false);
    }
    return windows;
  }

  /** Reads until the last window is there, which comes by its sensor's silence. */
  private static Findings judge(PlantedBug bug, String bootstrapServers) {
    AtomicReference<Findings> found = new AtomicReference<>();
    try (PartitionReader reader = new PartitionReader(bootstrapServers, topics(bug))) {
      boolean complete =
          Waiting.until(
              TIMEOUT,
              () -> {
                PartitionCheck check =
                    new PartitionCheck(
                        topics(bug),
                        ChaosSettings.longLived(),
                        NaiveRules.of(ChaosSettings.MAX_FUTURE_SKEW.toMillis()),
                        NaiveOrders.none(),
                        PARTITION,
                        ChaosSettings.IDLE_MOMENT);
                reader.read(PARTITION, List.of(), check::take);
                found.set(check.findings());
                completeness = check.completeness();
                return check.reachesTheEnd();
              });
      assertThat(complete).as("the last window is there: %s", found.get().lines()).isTrue();
    }
    return found.get();
  }
}

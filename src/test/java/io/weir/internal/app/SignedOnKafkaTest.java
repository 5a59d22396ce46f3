package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.ops.Meters;
import io.weir.internal.ops.RunMetric;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.reading.Reading;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may publish, over a real broker, whose append times the keys are compared with. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SignedOnKafkaTest {
  private static final String READINGS = TopicNames.DEFAULT.readings();
  private static final String SENSOR = "line-7/boiler";
  private static final int PARTITION = SensorPartition.of(SENSOR);
  private static final String OTHERS_SENSOR =
      Stream.iterate(0, i -> i + 1)
          .map(i -> "line-8/boiler-" + i)
          .filter(id -> SensorPartition.of(id) == PARTITION)
          .findFirst()
          .orElseThrow();
  private static final long T = System.currentTimeMillis() - 600_000;
  private static final long BOOT = T << 20;

  private static final MasterKey OLD = master("old", 1);
  private static final MasterKey NEW = master("new", 2);
  private static final MasterKey PAST = master("past", 3);

  @TempDir private Path dir;
  private AppRig rig;
  private KafkaProducer<byte[], byte[]> producer;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<String> expectedDeadLetters = new ArrayList<>();

  @BeforeEach
  void start() {
    rig = new AppRig(dir);
    rig.createTopics();
    producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close();
    rig.close();
  }

  private static MasterKey master(String id, int content) {
    return new MasterKey(id, secret(content), Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static byte[] secret(int content) {
    byte[] secret = new byte[32];
    secret[0] = (byte) content;
    return secret;
  }

  private static String line(String id, int content) {
    return id + ".secret=" + Base64.getEncoder().encodeToString(secret(content)) + "\n";
  }

  private static String until(String id, Instant until) {
    return id + ".until=" + until + "\n";
  }

  private StreamsApplication start(String masters, Map<String, String> more) throws Exception {
    Path file = Files.writeString(dir.resolve("masters"), masters);
    Map<String, String> options = new HashMap<>(more);
    options.put("signing", "require");
    options.put("signing.keys.file", file.toString());
    return WeirApplication.start(rig.config(Map.of(), options), new Meters(registry));
  }

  private static ReadingBatch.Builder batch(String gatewayId, long sequence, String... sensors) {
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder().setGatewayId(gatewayId).setBootId(BOOT).setSequence(sequence);
    for (String sensor : sensors) {
      batch.addReadings(
          io.weir.v1.Reading.newBuilder()
              .setSensorId(sensor)
              .setTimestampMs(T + 1_000 * sequence)
              .setValue(1));
    }
    return batch;
  }

  /** Sends to the sensor's partition, signed for some partition, or unsigned where that is null. */
  private void send(byte[] value, GatewayKey key, Integer signedFor, RejectReason expected)
      throws Exception {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(READINGS, PARTITION, null, value);
    if (signedFor != null) {
      BatchSigner.of(READINGS, key).sign(signedFor, value, record.headers());
    }
    long offset = producer.send(record).get().offset();
    if (expected != null) {
      expectedDeadLetters.add(expected + " " + offset);
    }
  }

  private void send(ReadingBatch.Builder batch, GatewayKey key, RejectReason expected)
      throws Exception {
    send(batch.build().toByteArray(), key, PARTITION, expected);
  }

  @Test
  void refusedBatches_areDeadLettersWithTheirReason_andUseNoSequence() throws Exception {
    GatewayKey key = OLD.gatewayKey("g", 1);
    String past = line("past", 3) + until("past", Instant.now().minusSeconds(60));
    try (StreamsApplication application = start(line("old", 1) + past, Map.of())) {
      byte[] first = batch("g", 1, SENSOR).build().toByteArray();
      send(first, null, null, RejectReason.UNSIGNED);
      send(first, master("old", 9).gatewayKey("g", 1), PARTITION, RejectReason.BAD_SIGNATURE);
      send(first, OLD.gatewayKey("h", 1), PARTITION, RejectReason.BAD_SIGNATURE);
      send(first, key, (PARTITION + 1) % SensorPartition.COUNT, RejectReason.BAD_SIGNATURE);
      send(first, PAST.gatewayKey("g", 1), PARTITION, RejectReason.EXPIRED_KEY);
      byte[] twoIds =
          ReadingBatch.newBuilder()
              .setGatewayId("h")
              .build()
              .toByteString()
              .concat(batch("g", 1, SENSOR).build().toByteString())
              .toByteArray();
      send(twoIds, OLD.gatewayKey("h", 1), PARTITION, RejectReason.BAD_SIGNATURE);
      send(first, key, PARTITION, null);
      send(batch("g", 2, SENSOR), key, null);

      awaitOutcome(application, 2, expectedDeadLetters.size());
      assertThat(readings("duplicate")).isZero();
    }
  }

  @Test
  void gatewaysFile_isReadAgain_andANextGenerationReplacesAStolenKey() throws Exception {
    Path file = dir.resolve("gateways.yaml");
    Files.writeString(
        file,
        "gateways:\n"
            + "  - {gateway: g, sensors: [\"line-7/*\"]}\n"
            + "  - {gateway: h, sensors: [\"line-8/*\"]}\n");
    GatewayKey stolen = OLD.gatewayKey("g", 1);
    GatewayKey next = OLD.gatewayKey("g", 2);
    GatewayKey neighbour = OLD.gatewayKey("h", 1);
    try (StreamsApplication application =
        start(line("old", 1), Map.of("gateways.file", file.toString()))) {
      send(batch("g", 1, SENSOR, OTHERS_SENSOR), stolen, RejectReason.NOT_ITS_SENSOR);
      send(batch("h", 1, OTHERS_SENSOR), neighbour, null);
      send(batch("x", 1, SENSOR), OLD.gatewayKey("x", 1), RejectReason.NOT_ITS_SENSOR);
      awaitOutcome(application, 2, 2);

      Files.writeString(
          file,
          "gateways:\n"
              + "  - {gateway: g, sensors: [\"line-7/*\", \"line-8/*\"], lowest-generation: 2}\n"
              + "  - {gateway: h, sensors: [\"line-8/*\"]}\n");
      await(
          application,
          () ->
              registry
                      .get(RunMetric.GATEWAYS_FILE_VERSIONS.meterName())
                      .tag("outcome", "accepted")
                      .counter()
                      .count()
                  == 2);
      send(batch("g", 2, SENSOR), stolen, RejectReason.REVOKED);
      send(batch("g", 2, SENSOR, OTHERS_SENSOR), next, null);
      send(batch("h", 2, OTHERS_SENSOR), neighbour, null);
      awaitOutcome(application, 5, 3);
    }
  }

  /** The old key's batches count up to its end, whenever they are read. */
  @Test
  void rotationUnderLoad_losesNothing() throws Exception {
    try (Auditor auditor = rig.auditor()) {
      long offered = 0;
      try (StreamsApplication application = start(line("old", 1), Map.of())) {
        offered += publish(OLD, offered);
        assertThat(application.ended()).isNotDone();
      }
      offered += publish(OLD, offered);
      String both = line("old", 1) + until("old", Instant.now().plusSeconds(1)) + line("new", 2);
      try (StreamsApplication application = start(both, Map.of())) {
        offered += publish(NEW, offered);
        long all = offered;
        await(application, () -> counted(auditor.tally()) == all);
        assertThat(auditor.tally().rejected() + auditor.tally().poisonRecords()).isZero();
        assertThat(auditor.tally().duplicates()).isZero();
      }
    }
  }

  private static long counted(AuditTally tally) {
    return tally.inWindows() + tally.late();
  }

  /** A gateway's process with a key from a master; returns how many readings are acknowledged. */
  private long publish(MasterKey master, long from) throws Exception {
    int count = 500;
    try (ReadingPublisher publisher =
        ReadingPublisher.start(
            PublisherSettings.builder("g")
                .bootstrapServers(rig.bootstrapServers())
                .signWith(master.gatewayKey("g", 1))
                .build())) {
      for (int i = 0; i < count; i++) {
        Reading reading = new Reading("line-7/" + i % 20, T + 10 * (from + i), i);
        assertThat(publisher.offer(reading, Duration.ofMinutes(1))).isEqualTo(Offer.ACCEPTED);
      }
      publisher.flush();
    }
    return count;
  }

  /** So many readings are aggregated, and the dead letters are those that are expected. */
  private void awaitOutcome(StreamsApplication application, long aggregated, int deadLetters) {
    await(
        application,
        () -> readings("aggregated") >= aggregated && deadLetters().size() >= deadLetters);
    assertThat(deadLetters()).isEqualTo(expectedDeadLetters);
    assertThat(readings("aggregated")).isEqualTo(aggregated);
  }

  private double readings(String outcome) {
    return registry.get(RunMetric.READINGS.meterName()).tag("outcome", outcome).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  private List<String> deadLetters() {
    return Committed.of(rig.bootstrapServers(), List.of(TopicNames.DEFAULT.deadLetters())).stream()
        .map(
            deadLetter ->
                text(deadLetter.headers().lastHeader(DeadLetterHeaders.REASON).value())
                    + " "
                    + text(deadLetter.headers().lastHeader(DeadLetterHeaders.OFFSET).value()))
        .toList();
  }

  private static String text(byte[] header) {
    return new String(header, StandardCharsets.UTF_8);
  }

  private static void await(StreamsApplication application, BooleanSupplier isSo) {
    while (!isSo.getAsBoolean()) {
      assertThat(application.ended()).isNotDone();
      Await.pause();
    }
  }
}

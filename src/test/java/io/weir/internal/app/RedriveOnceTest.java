package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.ops.Meters;
import io.weir.internal.redrive.Lives;
import io.weir.internal.redrive.RecordFilter;
import io.weir.internal.redrive.Redrive;
import io.weir.internal.redrive.RedriveListener;
import io.weir.internal.redrive.RedriveReport;
import io.weir.internal.redrive.RedriveRequest;
import io.weir.internal.redrive.ResendOutcome;
import io.weir.internal.registry.ValueFormat;
import io.weir.lab.GroupLag;
import io.weir.reading.Limits;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Batches whose acknowledgement was lost are on the topic more than once, and their copies may have
 * different fates: whatever is redriven, each reading counts once.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class RedriveOnceTest {
  /** As gateways make them: 19 digits. */
  private static final long BOOT_ID = 1_700_000_000_000L << 20;

  private static final TopicNames TOPICS = TopicNames.DEFAULT;

  /** With this setting a batch of two readings is refused whole, for a reason that passes. */
  private static final Map<String, String> STRICT =
      Map.of(
          "max.batch.readings", "1",
          "batch.max.readings", "1",
          "window.size", "10s",
          "idle.timeout", "1h");

  /** Nothing is idle: no more ticks than one for each partition come beside the batches. */
  private static final Map<String, String> ROOMY =
      Map.of("window.size", "10s", "idle.timeout", "1h");

  @TempDir private Path dir;
  private AppRig rig;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void startBroker() {
    rig = new AppRig(dir);
    rig.createTopics();
  }

  @AfterEach
  void stopBroker() {
    rig.close();
  }

  @Test
  void copiesOfABatch_refusedAndCountedInAnyOrder_countOnce() throws Exception {
    ReadingBatch refusedThenCounted = batch("refused-then-counted", 0, 1);
    ReadingBatch countedThenRefused = batch("counted-then-refused", 2, 3);
    ReadingBatch alwaysRefused = batch("always-refused", 4, 5);
    ReadingBatch inParts = batch("in-parts", 6, -1);

    send(refusedThenCounted, alwaysRefused);
    runUntilRead(STRICT);
    send(refusedThenCounted, countedThenRefused, inParts, inParts);
    runUntilRead(ROOMY);
    assertThat(count("aggregated")).isEqualTo(5);
    send(countedThenRefused, alwaysRefused);
    runUntilRead(STRICT);
    assertThat(count("aggregated")).isEqualTo(5);

    RedriveReport report = redrive();
    assertThat(report.records())
        .isEqualTo(Map.of(ResendOutcome.SENT, 4L, ResendOutcome.DUPLICATE, 1L));
    runUntilRead(ROOMY);

    assertThat(count("aggregated")).as("each of eight readings once").isEqualTo(8);
    assertThat(count("duplicate")).as("of in-parts, and of two records").isEqualTo(6);
    assertThat(redrive().records())
        .isEqualTo(Map.of(ResendOutcome.SENT_BEFORE, 4L, ResendOutcome.DUPLICATE, 1L));
  }

  /** A batch of two readings for partition 0; the one numbered -1 belongs to another partition. */
  private static ReadingBatch batch(String gateway, int first, int second) {
    return ReadingBatch.newBuilder()
        .setGatewayId(gateway)
        .setBootId(BOOT_ID)
        .setSequence(1)
        .addReadings(reading(first))
        .addReadings(reading(second))
        .build();
  }

  private static Reading reading(int number) {
    int wanted = number < 0 ? 1 : 0;
    int candidate = 0;
    String sensor = "";
    for (int found = -1; found < Math.max(0, number); candidate++) {
      sensor = "s-" + candidate;
      found += SensorPartition.of(sensor) == wanted ? 1 : 0;
    }
    return Reading.newBuilder().setSensorId(sensor).setTimestampMs(1_000_000).setValue(1).build();
  }

  private void send(ReadingBatch... batches) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (ReadingBatch batch : batches) {
        producer.send(new ProducerRecord<>(TOPICS.readings(), 0, null, batch.toByteArray())).get();
      }
    }
  }

  private void runUntilRead(Map<String, String> settings) {
    GroupLag lag = new GroupLag(rig.admin(), "weir", TOPICS.readings());
    Map<TopicPartition, Long> ends = lag.ends(); // Ticks come as long as sensors are silent.
    WeirConfig config = rig.config(Map.of(), settings);
    try (StreamsApplication weir = WeirApplication.start(config, new Meters(registry))) {
      while (lag.recordsBefore(ends) > 0) {
        assertThat(weir.ended()).isNotDone();
        Await.pause();
      }
    }
  }

  private long count(String outcome) {
    return (long)
        registry.find("weir.readings").tag("outcome", outcome).counters().stream()
            .mapToDouble(Counter::count)
            .sum();
  }

  private RedriveReport redrive() {
    RedriveRequest request =
        new RedriveRequest(
            TOPICS.deadLetters(),
            TOPICS.readings(),
            Optional.of(TOPICS.control()),
            Optional.empty(),
            RecordFilter.ALL,
            Limits.DEFAULT,
            0,
            false,
            false,
            false);
    Map<String, Object> reader = new HashMap<>(rig.client());
    reader.put("isolation.level", "read_committed");
    ByteArrayDeserializer from = new ByteArrayDeserializer();
    ByteArraySerializer to = new ByteArraySerializer();
    Redrive.Clients clients =
        new Redrive.Clients(
            new TopicAdmin(rig.admin(), TOPICS),
            () -> new KafkaConsumer<>(reader, from, from),
            rig.client(),
            settings -> new KafkaProducer<>(settings, to, to),
            ValueFormat.BARE,
            new Lives("weir", RunningLives.of(rig.admin(), "weir", TOPICS.readings()), true));
    return new Redrive(request, clients, () -> 2_000_000)
        .run(
            new RedriveListener() {
              @Override
              public void progress(RedriveReport soFar) {}

              @Override
              public boolean isStopped() {
                return false;
              }
            });
  }
}

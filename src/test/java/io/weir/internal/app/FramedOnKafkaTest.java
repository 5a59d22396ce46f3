package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.edge.Offer;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.ops.Meters;
import io.weir.internal.registry.FakeRegistry;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.MessageIndexes;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Publisher, topology and a schema registry together, on a real broker. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class FramedOnKafkaTest {
  private static final TopicNames TOPICS = TopicNames.DEFAULT;
  private static final long T = 1_700_000_000_000L;
  private static final String SENSOR = "cam-1142";
  private static final int PARTITION = SensorPartition.of(SENSOR);

  @TempDir private Path dir;
  private final EmbeddedKafka kafka = EmbeddedKafka.start();
  private final FakeRegistry registry = FakeRegistry.start();
  private final Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));

  @AfterEach
  void stop() {
    admin.close();
    registry.close();
    kafka.close();
  }

  private WeirConfig config() {
    Map<String, String> options = new HashMap<>();
    options.put("bootstrap.servers", kafka.bootstrapServers());
    options.put("schema.registry.url", registry.url());
    options.put("idle.timeout", "200ms");
    options.put("window.size", "50ms");
    options.put("threads", "1");
    options.put("state.dir", dir.toString());
    return WeirConfig.of(new Properties(), AppRig.SHORT_SESSION, options);
  }

  private static StreamsApplication start(WeirConfig config) {
    return WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
  }

  @Test
  void outage_isOutlivedByPublisherAndTopology_andEverythingIsFramed() throws Exception {
    WeirConfig config = config();
    new TopicAdmin(admin, TOPICS).createMissing();
    List<TopicSchemas.State> schemas = TopicSchemas.of(config).orElseThrow().register();
    assertThat(schemas).extracting(TopicSchemas.State::id).doesNotContain(Optional.empty());
    try (StreamsApplication application = start(config)) {
      registry.refuse(true);
      try (ReadingPublisher publisher = publisher()) {
        offer(publisher, T);
        sendFramed(T + 1);
        awaitRefusals("GET /subjects/", 2);
        awaitRefusals("GET /schemas/", 2);
        registry.refuse(false);
        publisher.flush();
      }
      sendBare(T + 2);
      awaitAggregated(3, application);
    }
    for (ConsumerRecord<byte[], byte[]> record : written()) {
      int id = registry.schemas().latest(record.topic() + "-value").id();
      assertThat(record.value()).startsWith(Frame.head(id, MessageIndexes.FIRST));
      assertThat(record.topic()).isEqualTo(TOPICS.windows());
    }
  }

  private ReadingPublisher publisher() {
    return ReadingPublisher.start(
        PublisherSettings.builder("gateway-7")
            .bootstrapServers(kafka.bootstrapServers())
            .schemaRegistry(Map.of("schema.registry.url", registry.url()))
            .build());
  }

  private static void offer(ReadingPublisher publisher, long timestampMs) {
    assertThat(publisher.offer(new Reading(SENSOR, timestampMs, 1))).isEqualTo(Offer.ACCEPTED);
  }

  private static byte[] payload(long timestampMs) {
    return ReadingBatch.newBuilder()
        .addReadings(
            io.weir.v1.Reading.newBuilder()
                .setSensorId(SENSOR)
                .setTimestampMs(timestampMs)
                .setValue(1))
        .build()
        .toByteArray();
  }

  private void sendFramed(long timestampMs) throws Exception {
    int id = registry.schemas().latest(TOPICS.readings() + "-value").id();
    send(Frame.join(Frame.head(id, MessageIndexes.FIRST), payload(timestampMs)));
  }

  private void sendBare(long timestampMs) throws Exception {
    send(payload(timestampMs));
  }

  private void send(byte[] value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(TOPICS.readings(), PARTITION, null, value)).get();
    }
  }

  private void awaitRefusals(String request, int count) {
    Await.until(
        () ->
            registry.refused().stream().filter(each -> each.startsWith(request)).count() >= count);
  }

  private void awaitAggregated(long readings, StreamsApplication application) {
    try (Auditor auditor =
        Auditor.start(
            Map.of("bootstrap.servers", kafka.bootstrapServers()), TOPICS, window -> {})) {
      AuditTally tally = auditor.tally();
      while (tally.inWindows() < readings) {
        assertThat(application.ended()).isNotDone();
        Await.pause();
        tally = auditor.tally();
      }
      assertThat(tally.rejected() + tally.poisonRecords() + tally.late()).isZero();
    }
  }

  /** What the application wrote to the sensor's partitions, committed. */
  private List<ConsumerRecord<byte[], byte[]>> written() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          TOPICS.ofSensors().stream()
              .filter(topic -> !topic.equals(TOPICS.readings()))
              .map(topic -> new TopicPartition(topic, PARTITION))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = List.of();
      while (records.isEmpty()) {
        records = List.copyOf(consumer.poll(Duration.ofSeconds(1)).records(partitions.get(0)));
      }
      return records;
    }
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.dev.EmbeddedKafka;
import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The publisher against a real broker. */
@Timeout(180)
class PublisherOnKafkaTest {
  private static final int PARTITIONS = 64;
  private static final int SENSORS = 640;
  private static final String TOPIC = "weir.readings";

  @TempDir Path dir;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Map<String, List<Reading>> accepted = new HashMap<>();

  /**
   * Leaders that come up while the first batches arrive: each round has a topic that was created an
   * instant before, and every batch is a produce batch of its own, so that several of a partition
   * could be under way at once. A producer that wedges would have to be given up, which is counted.
   */
  @Test
  void firstContact_withATopicJustCreated_arrivesOnceAndNeverWedges() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      for (int round = 0; round < 4; round++) {
        String topic = TOPIC + round;
        accepted.clear();
        acknowledged.set(0);
        createTopic(kafka, topic);
        Map<String, Object> oneByOne = Map.of("batch.size", 1);
        try (ReadingPublisher publisher = start(kafka.bootstrapServers(), topic, oneByOne)) {
          offerAll(publisher, 0, 200_000);
          publisher.flush();
        }

        List<List<byte[]>> arrived = readAll(kafka, topic);
        assertThat(acknowledged).hasValue(200_000);
        assertThat(arrived).noneMatch(List::isEmpty);
        assertThat(TopicReader.readingsBySensor(arrived)).isEqualTo(accepted);
        assertThat(registry.get(PublisherMetrics.REPLACEMENTS).counter().count()).isZero();
      }
    }
  }

  @Test
  void brokerRestarted_inTheMiddle_losesNothingAndKeepsOrder() throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("data"));
    EmbeddedKafka first = EmbeddedKafka.start(options);
    createTopic(first, TOPIC);
    String address = first.bootstrapServers();
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (ReadingPublisher publisher = start(address, TOPIC, Map.of())) {
      offerAll(publisher, 0, 50_000);
      first.close();
      offerAll(publisher, 50_000, 100_000);
      try (EmbeddedKafka second = EmbeddedKafka.start(options.withPort(port))) {
        offerAll(publisher, 100_000, 150_000);
        publisher.flush();

        assertThat(acknowledged).hasValue(150_000);
        assertThat(TopicReader.readingsBySensor(readAll(second, TOPIC))).isEqualTo(accepted);
      }
    } finally {
      first.close();
    }
  }

  @Test
  void close_withoutAnyBroker_endsAndHandsOutWhatIsLeft() {
    ReadingPublisher publisher = start("127.0.0.1:1", TOPIC, Map.of());
    offerAll(publisher, 0, 1_000);

    CloseReport report = publisher.close(Duration.ofMillis(50));

    assertThat(report.unsentReadings()).isEqualTo(1_000);
    assertThat(report.state().orElseThrow().unacknowledgedReadings()).isEqualTo(1_000);
  }

  private ReadingPublisher start(String bootstrapServers, String topic, Map<String, Object> kafka) {
    return ReadingPublisher.start(
        PublisherSettings.builder("gateway-7")
            .bootstrapServers(bootstrapServers)
            .topic(topic)
            .batchMaxReadings(100)
            .kafka(kafka)
            .build(),
        registry);
  }

  private void offerAll(ReadingPublisher publisher, int from, int to) {
    for (int i = from; i < to; i++) {
      Reading reading = new Reading("sensor-" + i % SENSORS, 1_700_000_000_000L + i, i);
      while (publisher.offer(reading, acknowledged::incrementAndGet) != Offer.ACCEPTED) {
        LockSupport.parkNanos(1_000_000);
      }
      accepted.computeIfAbsent(reading.sensorId(), id -> new ArrayList<>()).add(reading);
    }
  }

  private static void createTopic(EmbeddedKafka kafka, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1))).all().get();
    }
  }

  private static List<List<byte[]>> readAll(EmbeddedKafka kafka, String topic) {
    List<TopicPartition> partitions = new ArrayList<>();
    List<List<byte[]>> values = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      partitions.add(new TopicPartition(topic, partition));
      values.add(new ArrayList<>());
    }
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("gateway-7");
          values.get(record.partition()).add(record.value());
        }
      }
    }
    return values;
  }
}

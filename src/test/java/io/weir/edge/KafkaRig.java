package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a publisher took and had acknowledged, to be compared with a real topic. */
final class KafkaRig {
  private static final int SENSORS = 640;
  private static final String GATEWAY = "gateway-7";
  static final byte[] KEY = GATEWAY.getBytes(StandardCharsets.UTF_8);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Map<String, List<Reading>> accepted = new HashMap<>();

  static void createTopic(String bootstrapServers, String topic, Map<String, String> settings)
      throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      NewTopic created =
          new NewTopic(topic, SensorPartition.COUNT, (short) 1)
              .configs(withLogAppendTime(settings));
      admin.createTopics(List.of(created)).all().get();
    }
  }

  private static Map<String, String> withLogAppendTime(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("message.timestamp.type", "LogAppendTime");
    return all;
  }

  static void raiseMaxMessageBytes(String bootstrapServers, String topic, int bytes)
      throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      ConfigEntry raised = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
      Collection<AlterConfigOp> change =
          List.of(new AlterConfigOp(raised, AlterConfigOp.OpType.SET));
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), change))
          .all()
          .get();
    }
  }

  /** Batches of up to 100 readings. */
  ReadingPublisher start(String bootstrapServers, String topic, Map<String, Object> kafka) {
    return start(bootstrapServers, topic, settings -> settings.kafka(kafka));
  }

  ReadingPublisher start(
      String bootstrapServers, String topic, UnaryOperator<PublisherSettings.Builder> settings) {
    PublisherSettings.Builder builder =
        PublisherSettings.builder(GATEWAY)
            .bootstrapServers(bootstrapServers)
            .topic(topic)
            .batchMaxReadings(100);
    return ReadingPublisher.start(settings.apply(builder).build(), registry);
  }

  /** Offers numbered readings of 640 sensors in turn, each until it is accepted. */
  void offerAll(ReadingPublisher publisher, int from, int to) {
    for (int i = from; i < to; i++) {
      offer(publisher, new Reading("sensor-" + i % SENSORS, 1_700_000_000_000L + i, i));
    }
  }

  void offer(ReadingPublisher publisher, Reading reading) {
    Await.until(() -> publisher.offer(reading, acknowledged::incrementAndGet) == Offer.ACCEPTED);
    accepted.computeIfAbsent(reading.sensorId(), id -> new ArrayList<>()).add(reading);
  }

  void forget() {
    accepted.clear();
    acknowledged.set(0);
  }

  int acknowledged() {
    return acknowledged.get();
  }

  /** Producers given up, by the publishers that are open. */
  double replacements() {
    return registry.get(PublisherMetrics.REPLACEMENTS).counter().count();
  }

  /** Batches sent again, by the publishers that are open. */
  double resends() {
    return registry.get(PublisherMetrics.RESENDS).counter().count();
  }

  double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  /** Exactly what was accepted is on the topic, per sensor in order, without a gap. */
  void assertArrived(String bootstrapServers, String topic, int readings) {
    assertThat(acknowledged).hasValue(readings);
    assertThat(TopicReader.readingsBySensor(readAll(bootstrapServers, topic))).isEqualTo(accepted);
  }

  /** The values of a topic, by partition. */
  static List<List<byte[]>> readAll(String bootstrapServers, String topic) {
    List<TopicPartition> partitions = new ArrayList<>();
    List<List<byte[]>> values = new ArrayList<>();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      partitions.add(new TopicPartition(topic, partition));
      values.add(new ArrayList<>());
    }
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          assertThat(record.key()).isEqualTo(KEY);
          values.get(record.partition()).add(record.value());
        }
      }
    }
    return values;
  }
}

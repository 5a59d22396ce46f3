package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.keyed.KeyContext;
import io.weir.keyed.KeyHandler;
import io.weir.keyed.KeyedApplication;
import io.weir.keyed.Outcome;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records that a broker would refuse fail the call that emits them, and the application goes on.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HandlerOutputsOnKafkaTest {
  private static final String OUT = "out";
  private static final String KEY = "pump-1";

  /** Emits the subject without a key where it begins with "null", else with one. */
  private record Emitting() implements KeyHandler {
    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      String subject = event.getSubject();
      key.emit(OUT, subject.startsWith("null") ? null : key.key(), subject);
      return Outcome.CONTINUE;
    }
  }

  @TempDir private Path dir;
  private AppRig rig;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void start() {
    rig = new AppRig(dir);
    new TopicAdmin(rig.admin(), TopicNames.ALL.of(User.HANDLER)).createMissing();
    producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    producer.close(Duration.ZERO);
    rig.close();
  }

  private KeyedApplication open() {
    return KeyedApplication.builder("emitting", Emitting::new)
        .output(OUT, new StringSerializer(), new StringSerializer())
        .retry(1)
        .environment(
            Map.of(
                "WEIR_BOOTSTRAP_SERVERS", rig.bootstrapServers(),
                "WEIR_STATE_DIR", dir.toString(),
                "WEIR_THREADS", "1"))
        .start();
  }

  private void create(Map<String, String> config) {
    NewTopic topic = new NewTopic(OUT, 1, (short) 1).configs(config);
    KafkaFutures.await(rig.admin().createTopics(List.of(topic)).all());
  }

  private void send(String... subjects) {
    EventBatch.Builder batch = EventBatch.newBuilder();
    for (String subject : subjects) {
      batch.addEvents(
          Event.newBuilder()
              .setKey(KEY)
              .setSubject(subject)
              .setTimestampMs(System.currentTimeMillis()));
    }
    producer.send(
        new ProducerRecord<>(
            Topic.EVENTS.defaultName(),
            SensorPartition.of(KEY),
            null,
            batch.build().toByteArray()));
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic, int partitions) {
    Map<String, Object> client = new HashMap<>(rig.client());
    client.put("isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      return StreamSupport.stream(consumer.poll(Duration.ofSeconds(1)).spliterator(), false)
          .toList();
    }
  }

  private void awaitOut(KeyedApplication application, String... subjects) {
    Await.until(
        () -> {
          assertThat(application.ended()).isNotDone();
          return read(OUT, 1).stream()
              .map(record -> new String(record.value(), StandardCharsets.UTF_8))
              .toList()
              .equals(List.of(subjects));
        });
  }

  private void assertDeadLetters(String... subjects) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> deadLetters =
        read(Topic.DEAD_LETTERS.defaultName(), SensorPartition.COUNT);
    assertThat(deadLetters).hasSize(subjects.length);
    for (int i = 0; i < subjects.length; i++) {
      EventBatch batch = EventBatch.parseFrom(deadLetters.get(i).value());
      assertThat(batch.getEvents(0).getSubject()).isEqualTo(subjects[i]);
    }
  }

  @Test
  void noKey_whereTheTopicIsCompacted_failsItsCall() throws Exception {
    create(Map.of("cleanup.policy", "compact"));
    try (KeyedApplication application = open()) {
      send("a", "null", "b");
      awaitOut(application, "a", "b");
      assertDeadLetters("null");
    }
  }

  @Test
  void topicThatIsChanged_whileTheApplicationRuns_endsNothing() throws Exception {
    create(Map.of());
    try (KeyedApplication application = open()) {
      send("a", "null 1");
      awaitOut(application, "a", "null 1");
      AlterConfigOp compact =
          new AlterConfigOp(new ConfigEntry("cleanup.policy", "compact"), OpType.SET);
      AlterConfigOp small =
          new AlterConfigOp(new ConfigEntry("max.message.bytes", "2000"), OpType.SET);
      KafkaFutures.await(
          rig.admin()
              .incrementalAlterConfigs(
                  Map.of(
                      new ConfigResource(ConfigResource.Type.TOPIC, OUT), List.of(compact, small)))
              .all());
      send("null 2", "b", "x".repeat(200));
      awaitOut(application, "a", "null 1", "b", "x".repeat(200));
      assertDeadLetters("null 2");
    }
  }

  /** What lags by more than the topic takes is stamped later, and not refused. */
  @Test
  void oldRecords_whereTheTopicTakesNone_areStampedLater() {
    create(Map.of("message.timestamp.before.max.ms", "3000"));
    send("a");
    Await.until(() -> ageMs() > 3_000);
    try (KeyedApplication application = open()) {
      awaitOut(application, "a");
    }
  }

  private long ageMs() {
    return System.currentTimeMillis()
        - read(Topic.EVENTS.defaultName(), SensorPartition.COUNT).get(0).timestamp();
  }
}

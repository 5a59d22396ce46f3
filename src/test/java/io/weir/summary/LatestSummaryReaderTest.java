package io.weir.summary;

import static io.weir.summary.LatestSummaryTableTest.framed;
import static io.weir.summary.LatestSummaryTableTest.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Await;
import io.weir.lab.Commits;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LatestSummaryReaderTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final String WINDOWS = TopicNames.DEFAULT.windows();

  private static EmbeddedKafka kafka;
  private static Map<String, Object> settings;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
    settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void reader_overRevisionsAndAbortedTransactions_givesTheLastCommittedOfEachWindow() {
    Random random = new Random(SEED);
    Map<WindowKey, WindowSummary> expected = new HashMap<>();
    Map<String, Object> producerSettings = new HashMap<>(settings);
    producerSettings.put("transactional.id", "reader-test");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            producerSettings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      for (int transaction = 0; transaction < 30; transaction++) {
        producer.beginTransaction();
        Map<WindowKey, WindowSummary> sent = new HashMap<>();
        for (int i = 0; i < 20; i++) {
          WindowSummary window =
              summary("s-" + random.nextInt(9), random.nextInt(5) * 10, random.nextInt(99), i);
          sent.put(WindowKey.of(window), window);
          byte[] value = random.nextBoolean() ? window.toByteArray() : framed(window);
          int partition = SensorPartition.of(window.getSensorId());
          producer.send(new ProducerRecord<>(WINDOWS, partition, null, value));
        }
        if (random.nextInt(3) == 0) {
          producer.flush();
          producer.abortTransaction();
        } else {
          producer.commitTransaction();
          expected.putAll(sent);
        }
      }
      Commits.awaitCompleted(kafka, "reader-test");
    }

    Map<WindowKey, WindowSummary> read = new HashMap<>();
    try (LatestSummaryReader summaries = LatestSummaryReader.open(settings, WINDOWS)) {
      while (summaries.hasNext()) {
        WindowSummary window = summaries.next();
        assertThat(read.put(WindowKey.of(window), window)).as("comes once").isNull();
      }
      assertThatThrownBy(summaries::next).isInstanceOf(NoSuchElementException.class);
    }
    assertThat(read).as("seed %d", SEED).isEqualTo(expected);
  }

  /** With the settings of a reader that is in the midst of a partition when its topic goes. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void topicThatIsMadeAgainShorter_endsTheReaderWithAnError() throws Exception {
    String topic = "made-again";
    Map<String, Object> small = new HashMap<>(settings);
    small.put("max.partition.fetch.bytes", "1");
    try (Admin admin = Admin.create(settings);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      create(admin, topic);
      for (int i = 0; i < 100; i++) {
        byte[] value = summary("a", i, 1, 0).toByteArray();
        producer.send(new ProducerRecord<>(topic, i % 2, null, value)).get();
      }
      try (LatestSummaryReader summaries = LatestSummaryReader.open(small, topic)) {
        for (int i = 0; i < 50; i++) {
          summaries.next();
        }
        admin.deleteTopics(List.of(topic)).all().get();
        Await.until(() -> !admin.listTopics().names().get().contains(topic));
        create(admin, topic);

        assertThatThrownBy(summaries::hasNext)
            .isInstanceOf(KafkaException.class)
            .hasMessageContaining("made-again")
            .hasMessageContaining("recreated");
      }
    }
  }

  private static void create(Admin admin, String topic) throws Exception {
    admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
  }

  @Test
  void reader_ofATopicThatIsNotThere_saysSo() {
    assertThatThrownBy(() -> LatestSummaryReader.open(settings, "elsewhere"))
        .isInstanceOf(UnknownTopicOrPartitionException.class)
        .hasMessageContaining("elsewhere");
  }
}

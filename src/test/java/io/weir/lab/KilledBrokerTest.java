package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a single broker makes of the transactions that were under way when it was killed. A kill
 * leaves the files as they are written: here they are copied while the broker runs.
 */
class KilledBrokerTest {
  private static final int PARTITIONS = 16;

  /** More partitions, without records: that many change their leader in no short moment. */
  private static final NewTopic BALLAST = new NewTopic("ballast", 200, (short) 1);

  private static final String TOPIC = "said";
  private static final String ID = "decided";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path dir;

  @Test
  void startAfterAKill_completesADecidedTransactionInEveryPartition() throws Exception {
    Path alive = dir.resolve("alive");
    Path killed = dir.resolve("killed");
    try (EmbeddedKafka kafka =
            EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT.withDataDir(alive));
        KafkaProducer<String, String> producer = producer(kafka)) {
      createTopic(kafka);
      sendToAll(producer);
      producer.commitTransaction();
      Commits.awaitCompleted(kafka, ID);
      BrokerFiles.copy(alive, killed);
    }
    BrokerFiles.cutMarkers(killed, TOPIC);
    BrokerFiles.cutCompletedCommits(killed);

    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT.withDataDir(killed))) {
      assertThat(awaitNothingOpen(kafka)).as("partitions with an open transaction").isEmpty();
      assertThat(partitionsWithCommitted(kafka)).hasSize(PARTITIONS);
    }
  }

  private static void createTopic(EmbeddedKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1), BALLAST)).all().get();
    }
  }

  private static KafkaProducer<String, String> producer(EmbeddedKafka kafka) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "transactional.id",
            ID,
            // More than one would overtake those whose partition has no leader yet.
            "max.in.flight.requests.per.connection",
            1,
            "linger.ms",
            100);
    var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    producer.initTransactions();
    return producer;
  }

  private static void sendToAll(KafkaProducer<String, String> producer) {
    producer.beginTransaction();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      producer.send(new ProducerRecord<>(TOPIC, partition, null, "kept"));
    }
  }

  /** Waits until no transaction is open; the partitions in which one is even so. */
  private static Set<Integer> awaitNothingOpen(EmbeddedKafka kafka) {
    try (KafkaConsumer<String, String> stable = consumer(kafka, "read_committed");
        KafkaConsumer<String, String> all = consumer(kafka, "read_uncommitted")) {
      long startNanos = System.nanoTime();
      Set<Integer> open = partitions().map(TopicPartition::partition).collect(Collectors.toSet());
      while (!open.isEmpty() && System.nanoTime() - startNanos < TIMEOUT.toNanos()) {
        Map<TopicPartition, Long> ends = all.endOffsets(partitions().toList());
        open =
            stable.endOffsets(partitions().toList()).entrySet().stream()
                .filter(end -> end.getValue() < ends.get(end.getKey()))
                .map(end -> end.getKey().partition())
                .collect(Collectors.toCollection(TreeSet::new));
      }
      return open;
    }
  }

  private static Set<Integer> partitionsWithCommitted(EmbeddedKafka kafka) {
    Set<Integer> committed = new TreeSet<>();
    try (KafkaConsumer<String, String> consumer = consumer(kafka, "read_committed")) {
      List<TopicPartition> partitions = partitions().toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          committed.add(record.partition());
        }
      }
    }
    return committed;
  }

  private static Stream<TopicPartition> partitions() {
    return IntStream.range(0, PARTITIONS).mapToObj(number -> new TopicPartition(TOPIC, number));
  }

  private static KafkaConsumer<String, String> consumer(EmbeddedKafka kafka, String isolation) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", isolation);
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }
}

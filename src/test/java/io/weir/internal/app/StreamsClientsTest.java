package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.internal.store.ThreadStores;
import io.weir.internal.topology.CommitPace;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.KafkaFutures;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The producer of a stream thread, on a real broker. */
@Timeout(120)
class StreamsClientsTest {
  private final OffsetJumps jumps = new OffsetJumps();
  private final CommitMarks marks =
      new CommitMarks(partition -> Optional.of(new ThreadStores.End(3, Optional.empty())));

  private final StreamsClients clients =
      new StreamsClients(
          () -> false,
          new ThreadStores(),
          CommitPace.NONE,
          32 << 20,
          4 << 20,
          () -> {},
          jumps,
          marks,
          new HaltedPartitions(),
          abandoned());

  private static AbandonedTransactions abandoned() {
    StreamsPlan plan =
        new StreamsPlan(
            "weir", "weir.application.id", User.RUN, TopicNames.DEFAULT, List.of(), List.of());
    return new AbandonedTransactions(
        plan,
        () -> {
          throw new AssertionError("nothing was assigned");
        });
  }

  /** Whatever other tasks of the thread have sent went with it. */
  @Test
  void producer_afterAnAbortedTransaction_beginsNoOther_andItsSuccessorDoes() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT)) {
      topics(kafka);
      Map<String, Object> config =
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
              kafka.bootstrapServers(),
              ProducerConfig.TRANSACTIONAL_ID_CONFIG,
              "weir-thread");
      try (Producer<byte[], byte[]> producer = clients.getProducer(config)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.abortTransaction();
        assertThatThrownBy(producer::beginTransaction).isInstanceOf(ProducerFencedException.class);
      }
      try (Producer<byte[], byte[]> successor = clients.getProducer(config)) {
        successor.initTransactions();
        successor.beginTransaction();
        successor.sendOffsetsToTransaction(
            Map.of(new TopicPartition("readings", 0), new OffsetAndMetadata(1)), group(kafka));
        successor.commitTransaction();
      }
    }
  }

  /** Kafka would take it of a member that was replaced long ago. */
  @Test
  void producer_withoutOffsets_commitsNothing() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT)) {
      topics(kafka);
      Map<String, Object> config =
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
              kafka.bootstrapServers(),
              ProducerConfig.TRANSACTIONAL_ID_CONFIG,
              "weir-thread");
      try (Producer<byte[], byte[]> producer = clients.getProducer(config)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("windows", new byte[1]));
        producer.sendOffsetsToTransaction(Map.of(), group(kafka));

        assertThatThrownBy(producer::commitTransaction)
            .isInstanceOf(ProducerFencedException.class)
            .hasMessageContaining("without offsets");
      }
    }
  }

  /** Kafka Streams reads on from the first record that is there, and hardly says so. */
  @Test
  void consumer_whoseNextRecordIsNotThere_saysWhich() {
    Logger log = (Logger) LoggerFactory.getLogger(StreamsClients.class);
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    said.start();
    log.setLevel(Level.ERROR);
    log.addAppender(said);
    TopicPartition partition = new TopicPartition("readings", 0);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT)) {
      topics(kafka);
      Map<String, Object> config =
          Map.of(
              ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
              kafka.bootstrapServers(),
              ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
              "none");
      try (Consumer<byte[], byte[]> consumer = clients.getConsumer(config)) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, 5);
        assertThatThrownBy(
                () -> {
                  while (true) {
                    consumer.poll(Duration.ofSeconds(1));
                  }
                })
            .isInstanceOf(OffsetOutOfRangeException.class);
        assertThat(jumps.any() && jumps.has(partition)).isTrue();
        assertThat(marks.mark(Map.of(partition, new OffsetAndMetadata(9))))
            .as("nothing behind the deleted records is committed")
            .containsEntry(partition, new OffsetAndMetadata(3, ";applied=3"));
      }
      assertThat(said.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .singleElement()
          .asString()
          .startsWith("readings-0: the next offset, 5, does not exist");
    } finally {
      log.detachAppender(said);
      log.setLevel(null);
    }
  }

  private static void topics(EmbeddedKafka kafka) {
    try (Admin admin =
        Admin.create(
            Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()))) {
      KafkaFutures.await(
          admin
              .createTopics(
                  List.of(
                      new NewTopic("readings", 1, (short) 1),
                      new NewTopic("windows", 1, (short) 1)))
              .all());
    }
  }

  private static ConsumerGroupMetadata group(EmbeddedKafka kafka) {
    Map<String, Object> config =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            ConsumerConfig.GROUP_ID_CONFIG,
            "weir");
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return consumer.groupMetadata();
    }
  }
}

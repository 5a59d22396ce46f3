package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.lab.BrokerFiles;
import io.weir.lab.Commits;
import io.weir.lab.EmbeddedKafka;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A transaction that hangs, made by taking a marker back that its coordinator has written. */
class BlockedOutputsTest {
  private static final String TOPIC = "summaries";
  private static final String INPUT = "readings";
  private static final TopicPartition HANGING = new TopicPartition(TOPIC, 0);
  private static final TopicPartition WHOLE = new TopicPartition(TOPIC, 1);

  @TempDir private Path dir;

  private final Logger logger = (Logger) LoggerFactory.getLogger(BlockedOutputs.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private long nowMs = 7;

  @BeforeEach
  void listen() {
    logger.setLevel(Level.ERROR);
    logger.addAppender(log);
    log.start();
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  @Test
  void hangingTransaction_isSeen_named_andEndedByTheCommand() throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("data"));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options);
        Admin admin = admin(kafka);
        KafkaProducer<String, String> producer = producer(kafka)) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
      send(producer);
      producer.commitTransaction();
      Commits.awaitCompleted(kafka, "writer");
    }
    BrokerFiles.cutMarkers(dir.resolve("data"), HANGING.toString());

    try (EmbeddedKafka kafka = EmbeddedKafka.start(options);
        BlockedOutputs outputs = outputs(kafka);
        Admin admin = admin(kafka)) {
      outputs.look();
      assertNotBlocked(outputs);

      nowMs += BlockedOutputs.AFTER_MS;
      outputs.look();
      outputs.look();
      assertThat(outputs.blockedMs()).isEqualTo(BlockedOutputs.AFTER_MS);
      assertThat(outputs.describe())
          .hasValue("output blocked: summaries-0 at offset 0, see the log");
      ProducerState producer = producerOf(admin);
      assertThat(log.list).hasSize(1);
      assertThat(log.list.get(0).getFormattedMessage())
          .contains("summaries-0", "producer " + producer.producerId(), "CompleteCommit")
          .contains("abort --topic summaries --partition 0 --start-offset 0");

      admin
          .abortTransaction(
              new AbortTransactionSpec(
                  HANGING,
                  producer.producerId(),
                  (short) producer.producerEpoch(),
                  producer.coordinatorEpoch().orElse(-1)))
          .all()
          .get();
      outputs.look();
      assertNotBlocked(outputs);
    }
  }

  @Test
  void transactionThatIsUnderWay_blocksNothing_howeverLongItIsOpen() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        BlockedOutputs outputs = outputs(kafka);
        Admin admin = admin(kafka);
        KafkaProducer<String, String> producer = producer(kafka)) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get();
      send(producer);
      outputs.look();
      nowMs += BlockedOutputs.AFTER_MS;
      outputs.look();

      assertNotBlocked(outputs);
      producer.abortTransaction();
    }
  }

  /** A gateway that writes in transactions keeps its neighbours' readings from being read. */
  @Test
  void openTransactionOnTheInput_isReportedWithItsId_untilItEnds() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        BlockedOutputs outputs = outputs(kafka);
        Admin admin = admin(kafka);
        KafkaProducer<String, String> producer = producer(kafka)) {
      admin.createTopics(List.of(new NewTopic(INPUT, 2, (short) 1))).all().get();
      send(producer, INPUT);
      outputs.look();
      assertNotBlocked(outputs);

      nowMs += BlockedOutputs.AFTER_MS;
      outputs.look();
      assertThat(outputs.describe())
          .hasValue("input blocked: readings-0 at offset 0 and 1 more, see the log");
      assertThat(log.list.get(0).getFormattedMessage())
          .contains("(writer, ", "is open there", "abort --topic readings");

      producer.commitTransaction();
      Commits.awaitCompleted(kafka, "writer");
      outputs.look();
      assertNotBlocked(outputs);
    }
  }

  private void assertNotBlocked(BlockedOutputs outputs) {
    assertThat(outputs.describe()).isEmpty();
    assertThat(outputs.blockedMs()).isZero();
  }

  private BlockedOutputs outputs(EmbeddedKafka kafka) {
    return new BlockedOutputs(
        admin(kafka),
        kafka.bootstrapServers(),
        List.of(TOPIC, "not-made-yet"),
        List.of(INPUT),
        () -> nowMs);
  }

  private static ProducerState producerOf(Admin admin) throws Exception {
    return admin
        .describeProducers(List.of(HANGING))
        .partitionResult(HANGING)
        .get()
        .activeProducers()
        .get(0);
  }

  private static void send(KafkaProducer<String, String> producer) {
    send(producer, TOPIC);
  }

  private static void send(KafkaProducer<String, String> producer, String topic) {
    producer.initTransactions();
    producer.beginTransaction();
    for (TopicPartition partition : List.of(HANGING, WHOLE)) {
      producer.send(new ProducerRecord<>(topic, partition.partition(), null, "kept"));
    }
    producer.flush();
  }

  private static Admin admin(EmbeddedKafka kafka) {
    return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private static KafkaProducer<String, String> producer(EmbeddedKafka kafka) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "writer");
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }
}

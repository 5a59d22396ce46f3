package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.topology.WeirTopology;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Open transactions on a real broker, when partitions are assigned. */
@Timeout(120)
class AbandonedTransactionsTest {
  private static final StreamsInput INPUT =
      new StreamsInput(
          TopicNames.DEFAULT.readings(),
          WeirTopology.STORE,
          List.of(TopicNames.DEFAULT.of(Topic.WINDOWS)));
  private static final StreamsPlan PLAN =
      new StreamsPlan(
          "weir", "weir.application.id", User.RUN, TopicNames.DEFAULT, List.of(INPUT), List.of());

  private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
  private EmbeddedKafka kafka;
  private Admin admin;
  private AbandonedTransactions abandoned;

  @BeforeEach
  void startBroker() {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(client());
    new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    abandoned = new AbandonedTransactions(PLAN, () -> Admin.create(client()));
  }

  @AfterEach
  void stopBroker() {
    abandoned.close();
    producers.forEach(KafkaProducer::close);
    admin.close();
    kafka.close();
  }

  private Map<String, Object> client() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  /** Others that write the same topic, live on, and so does what this process has begun. */
  @Test
  void transactionsOfMembersThatAreGone_areAborted_whereTheirPartitionsAreAssigned()
      throws Exception {
    String gone = open("weir", 3);
    String elsewhere = open("weir", 9);
    String otherApplication = open("weir-2", 3);
    String own = open("weir", 3);
    // The next producer of a thread has its id before the one before it is closed.
    abandoned.opened(own);
    abandoned.opened(own);
    abandoned.closed(own);
    abandoned.assigned(List.of(input(3), input(5)));
    Await.until(() -> stateOf(gone) != TransactionState.ONGOING);
    assertThat(stateOf(gone)).isIn(TransactionState.COMPLETE_ABORT, TransactionState.PREPARE_ABORT);
    for (String other : List.of(elsewhere, otherApplication, own)) {
      assertThat(stateOf(other)).as(other).isEqualTo(TransactionState.ONGOING);
    }
    abandoned.closed(own);
    abandoned.assigned(List.of(input(3)));
    Await.until(() -> stateOf(own) != TransactionState.ONGOING);
    assertThat(stateOf(otherApplication)).isEqualTo(TransactionState.ONGOING);
  }

  /** What was given on before it was looked at is for others to end. */
  @Test
  void revokedPartitions_areLeftAlone() throws Exception {
    String gone = open("weir", 3);
    String other = open("weir", 4);
    abandoned.assigned(List.of());
    abandoned.assigned(List.of(input(4)));
    abandoned.revoked(List.of(input(4)));
    abandoned.assigned(List.of(input(3)));
    Await.until(() -> stateOf(gone) != TransactionState.ONGOING);
    abandoned.revoked(List.of(input(3)));
    String later = open("weir", 3);
    abandoned.assigned(List.of(input(5)));
    abandoned.assigned(List.of(input(4)));
    Await.until(() -> stateOf(other) != TransactionState.ONGOING);
    assertThat(stateOf(later)).isEqualTo(TransactionState.ONGOING);
  }

  /** Of its offsets, one marker was written; its coordinator has forgotten why. */
  @Test
  void transactionThatHasEndedInItsOffsets_isLeftAlone_andCounted_andOthersAreNot()
      throws Exception {
    String half = open("weir", 3);
    sendOffsets(producers.get(0));
    String gone = open("weir", 3);
    sendOffsets(producers.get(1));
    TransactionDescription open = describe(half);
    TopicPartition offsets =
        open.topicPartitions().stream()
            .filter(each -> each.topic().equals("__consumer_offsets"))
            .findFirst()
            .orElseThrow();
    int coordinatorEpoch =
        admin
            .describeProducers(List.of(offsets))
            .partitionResult(offsets)
            .get()
            .activeProducers()
            .stream()
            .filter(each -> each.producerId() == open.producerId())
            .findFirst()
            .orElseThrow()
            .coordinatorEpoch()
            .orElse(0);
    admin
        .abortTransaction(
            new AbortTransactionSpec(
                offsets, open.producerId(), (short) open.producerEpoch(), coordinatorEpoch))
        .all()
        .get();

    abandoned.assigned(List.of(input(3)));
    Await.until(() -> stateOf(gone) != TransactionState.ONGOING);
    Await.until(() -> abandoned.halfEnded() > 0);
    abandoned.assigned(List.of(input(3)));
    abandoned.assigned(List.of(input(4)));
    String last = open("weir", 4);
    abandoned.assigned(List.of(input(4)));
    Await.until(() -> stateOf(last) != TransactionState.ONGOING);
    assertThat(stateOf(half)).isEqualTo(TransactionState.ONGOING);
    assertThat(abandoned.halfEnded()).isEqualTo(1);
  }

  private void sendOffsets(KafkaProducer<byte[], byte[]> producer) {
    Map<String, Object> settings = new HashMap<>(client());
    settings.put("group.id", "weir");
    try (KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      producer.sendOffsetsToTransaction(
          Map.of(input(3), new OffsetAndMetadata(1)), member.groupMetadata());
    }
  }

  private static TopicPartition input(int partition) {
    return new TopicPartition(TopicNames.DEFAULT.readings(), partition);
  }

  /** Leaves a transaction open in a partition of windows, for longer than the test runs. */
  private String open(String applicationId, int partition) throws Exception {
    String id = applicationId + "-" + UUID.randomUUID() + "-1";
    Map<String, Object> settings = new HashMap<>(client());
    settings.put("transactional.id", id);
    settings.put("transaction.timeout.ms", 600_000);
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producers.add(producer);
    producer.initTransactions();
    producer.beginTransaction();
    producer
        .send(new ProducerRecord<>(TopicNames.DEFAULT.windows(), partition, null, new byte[1]))
        .get();
    return id;
  }

  private TransactionState stateOf(String id) throws Exception {
    return describe(id).state();
  }

  private TransactionDescription describe(String id) throws Exception {
    return admin.describeTransactions(List.of(id)).description(id).get();
  }
}

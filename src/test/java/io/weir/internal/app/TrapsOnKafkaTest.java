package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.ops.Meters;
import io.weir.internal.topology.Measures;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is known to hurt applications on Kafka Streams, done to this one. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class TrapsOnKafkaTest {
  @TempDir private Path dir;
  private AppRig rig;

  @BeforeEach
  void startBroker() {
    rig = new AppRig(dir);
  }

  @AfterEach
  void stopBroker() {
    rig.close();
  }

  /**
   * A topic that no longer takes what it took at the start refuses each dead letter, and each
   * refusal aborts a transaction and kills a thread. Once it takes them again, a new start finds
   * everything where it was.
   */
  @Test
  void sinkThatFails_endsTheProcessAfterABoundedNumberOfThreads_andLosesNothing() throws Exception {
    rig.createTopics();
    String deadLetters = TopicNames.DEFAULT.deadLetters();
    try (StreamsApplication application = rig.start()) {
      TopicConfigs.set(rig.admin(), deadLetters, "max.message.bytes", "100");
      send(10);
      sendValue(0, new byte[] {1, 2, 3});

      Optional<String> reason = application.ended().get(6, TimeUnit.MINUTES);
      assertThat(reason).hasValueSatisfying(text -> assertThat(text).contains("repeatedly"));
    }
    TopicConfigs.set(rig.admin(), deadLetters, "max.message.bytes", "1048588");
    try (StreamsApplication application = rig.start()) {
      AuditTally tally = await(t -> t.inWindows() == 10 && t.poisonRecords() == 1);
      assertThat(tally.rejected() + tally.late()).isZero();
      assertThat(application.ended()).isNotDone();
    }
  }

  /**
   * Punctuators alone call this measure, as long as no record comes. The session outlasts the test:
   * nobody waits for the end of a dead thread's.
   */
  @Test
  void exceptionInAPunctuator_costsAThread_andNoReading_andNobodyWaitsForTheDead()
      throws Exception {
    rig.createTopics();
    WeirConfig config =
        rig.config(Map.of("KAFKA_SESSION_TIMEOUT_MS", "1200000"), Map.of("instance.id", "weir-0"));
    AtomicInteger faults = new AtomicInteger(3);
    Meters meters = new Meters(new SimpleMeterRegistry());
    Measures faulty =
        (Measures)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Measures.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("partition") && faults.getAndDecrement() > 0) {
                    throw new IllegalStateException("a fault in a punctuator");
                  }
                  return method.invoke(meters, arguments);
                });
    try (StreamsApplication application = WeirApplication.start(config, faulty)) {
      while (faults.get() > 0) {
        assertThat(application.ended()).isNotDone();
        Await.pause();
      }
      send(10);
      assertThat(await(t -> t.inWindows() == 10).readings()).isEqualTo(10);
      assertThat(application.ended()).isNotDone();
    }
  }

  @Test
  void changelogWithAnotherPartitionCount_refusesTheStart() throws Exception {
    rig.createTopics();
    rig.admin().createTopics(List.of(new NewTopic(AppRig.CHANGELOG, 32, (short) 1))).all().get();

    assertThatThrownBy(() -> rig.start().close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("changelog")
        .hasMessageContaining("32")
        .hasMessageContaining("64");
  }

  @Test
  void changelogDeletedWhileRunning_endsTheApplication() throws Exception {
    rig.createTopics();
    try (StreamsApplication first = rig.start()) {
      send(10);
      await(t -> t.inWindows() == 10);
      assertThat(first.ended()).isNotDone();
    }
    try (StreamsApplication application = rig.start()) {
      while (application.state() != KafkaStreams.State.RUNNING) {
        assertThat(application.ended()).isNotDone();
        Await.pause();
      }
      rig.admin().deleteTopics(List.of(AppRig.CHANGELOG)).all().get();

      Optional<String> reason = application.ended().get(2, TimeUnit.MINUTES);
      assertThat(reason)
          .hasValueSatisfying(
              text -> assertThat(text).contains("state was lost", "weir.application.id"));
    }
  }

  /** All partitions of a thread are read once more, at once, before it is said. */
  @Test
  void offsetsCommittedWithoutTheirState_haltTheirPartitions() throws Exception {
    rig.createTopics();
    try (StreamsApplication first = rig.start()) {
      send(10);
      await(t -> t.inWindows() == 10);
      assertThat(first.ended()).isNotDone();
    }
    send(10);
    commitAll();
    try (StreamsApplication application = rig.start()) {
      Set<TopicPartition> lost = new HashSet<>();
      for (int i = 0; i < 10; i++) {
        int partition = SensorPartition.of("sensor-" + i);
        lost.add(new TopicPartition(TopicNames.DEFAULT.readings(), partition));
      }
      Await.until(() -> application.halted().all().equals(lost));
      assertThat(lost)
          .allSatisfy(
              partition ->
                  assertThat(application.halted().reason(partition))
                      .hasValueSatisfying(
                          text ->
                              assertThat(text)
                                  .contains(
                                      "state was lost", "lost its end", "weir.application.id")));
      assertThat(application.ended()).isNotDone();
    }
    assertThat(await(t -> t.inWindows() == 10).late()).isZero();
  }

  /** Says that the application has read all that is there. */
  private void commitAll() throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      ends.put(new TopicPartition(TopicNames.DEFAULT.readings(), i), OffsetSpec.latest());
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    rig.admin()
        .listOffsets(ends)
        .all()
        .get()
        .forEach((part, end) -> offsets.put(part, new OffsetAndMetadata(end.offset())));
    offsets.values().removeIf(offset -> offset.offset() == 0);
    while (true) {
      try {
        rig.admin().alterConsumerGroupOffsets("weir", offsets).all().get();
        return;
      } catch (ExecutionException e) {
        Await.pause(); // The member that stopped may still be in the group.
      }
    }
  }

  /** One reading each of so many sensors. */
  private void send(int sensors) throws Exception {
    for (int i = 0; i < sensors; i++) {
      String id = "sensor-" + i;
      Reading reading =
          Reading.newBuilder().setSensorId(id).setTimestampMs(1_000_000).setValue(i).build();
      byte[] batch = ReadingBatch.newBuilder().addReadings(reading).build().toByteArray();
      sendValue(SensorPartition.of(id), batch);
    }
  }

  private void sendValue(int partition, byte[] value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(TopicNames.DEFAULT.readings(), partition, null, value))
          .get();
    }
  }

  private AuditTally await(Predicate<AuditTally> wanted) {
    try (Auditor auditor = rig.auditor()) {
      Await.until(() -> wanted.test(auditor.tally()));
      return auditor.tally();
    }
  }
}

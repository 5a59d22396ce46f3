package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.ops.Meters;
import io.weir.internal.registry.ValueFormat;
import io.weir.lab.Auditor;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
import org.junit.jupiter.api.io.TempDir;

/** States that end before the committed offsets: lost, however much of the topic is still there. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class LostStateOnKafkaTest {
  private static final String SENSOR = "boiler-1";
  private static final TopicPartition READINGS =
      new TopicPartition(TopicNames.DEFAULT.readings(), SensorPartition.of(SENSOR));

  private static final int MANY = 60;

  @TempDir private Path dir;
  private AppRig rig;

  @BeforeEach
  void startBroker() {
    rig = rig();
    rig.createTopics();
  }

  private AppRig rig() {
    return new AppRig(dir, EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("broker")));
  }

  @AfterEach
  void stopBroker() {
    rig.close();
  }

  /** As after a transaction of which the offsets alone were committed. */
  @Test
  void stateThatEndsBeforeTheOffsets_isRefused_alsoOnceRetentionHasDeletedWhatItLacks()
      throws Exception {
    send();
    runUntilCommitted();
    send();
    send();
    commit(new OffsetAndMetadata(end()));
    send();
    assertThat(refusal()).contains("state was lost", "the state ends at offset");

    rig.admin()
        .deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(end() - 1)))
        .all()
        .get();
    assertThat(refusal()).contains("state was lost", "the state ends at offset");
  }

  @Test
  void partitionWhoseStateWasLost_isHalted_andTheOthersGoOn() throws Exception {
    send();
    runUntilCommitted();
    send();
    commit(new OffsetAndMetadata(end()));
    send();
    try (StreamsApplication application = rig.start();
        Auditor auditor = rig.auditor()) {
      assertThat(loss()).isPresent();
      Await.until(() -> application.halted().has(READINGS));
      long sent = 0;
      for (int i = 0; i < 20; i++) {
        String sensor = "other-" + i;
        if (SensorPartition.of(sensor) != READINGS.partition()) {
          send(sensor);
          sent++;
        }
      }
      long others = sent;
      Await.until(() -> auditor.tally().inWindows() == others);
      Await.until(application::isReady);
      assertThat(application.ended()).isNotDone();
      assertThat(application.halted().all()).containsExactly(READINGS);
      assertThat(committed().offset()).isLessThan(end());
    }
  }

  @Test
  void lossThatWasAccepted_isGoneOnFrom_andNoOther() throws Exception {
    send();
    runUntilCommitted();
    long stateEnd = end();
    assertThat(loss()).isEmpty();
    send();
    send();
    commit(new OffsetAndMetadata(end()));
    send();
    try (StreamsApplication application = start()) {
      Await.until(() -> application.halted().has(READINGS));
      LossFinder.Loss loss = loss().orElseThrow();
      assertThat(loss.stateEnd()).isEqualTo(stateEnd);
      assertThat(loss.nextOffset()).isEqualTo(stateEnd + 2);
      assertThat(loss.records()).isEqualTo(2);
      accept(loss);

      Await.until(() -> committed().offset() == end());
      assertThat(application.halted().has(READINGS)).isFalse();
      assertThat(application.halted().recordsLost()).isEqualTo(2);
      assertThat(application.ended()).isNotDone();
    }
    assertThat(loss()).as("it was accepted").isEmpty();
    send();
    commit(new OffsetAndMetadata(end()));
    send();
    assertThat(refusal()).contains("weir accept-loss weir --topic weir.readings --partition 26");
  }

  /** As after the retention of offsets: a state knows by itself how far it has come. */
  /** The application does not start, so no task can ask. */
  @Test
  void lossOfTheWholeState_isRefused_untilItIsAccepted() throws Exception {
    send();
    runUntilCommitted();
    String changelog = "weir-weir-state-changelog";
    rig.admin().deleteTopics(List.of(changelog)).all().get();
    Await.until(() -> !rig.admin().listTopics().names().get().contains(changelog));
    assertThatThrownBy(this::start)
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("weir accept-loss weir --topic weir.readings --partition ");

    LossFinder.Loss loss = loss().orElseThrow();
    assertThat(loss.stateEnd()).isZero();
    assertThat(loss.nextOffset()).isEqualTo(end());
    accept(loss);
    send();
    runUntilCommitted();
    assertThat(applied()).isEqualTo(end());
  }

  @Test
  void offsetsThatExpired_areThoseOfTheState() throws Exception {
    send();
    runUntilCommitted();
    deleteOffsets();
    assertThat(loss()).isEmpty();
    send();
    try (StreamsApplication application = start()) {
      Await.until(
          () -> {
            assertThat(application.halted().all()).isEmpty();
            assertThat(application.ended()).isNotDone();
            return committed() != null && committed().offset() == end();
          });
    }
    deleteOffsets();
    runUntilCommitted();
  }

  /** Each thread finds it for one partition after the other, and has others in its transaction. */
  @Test
  void offsetsThatExpired_ofAllPartitions_areThoseOfTheirStates() throws Exception {
    sendToMany();
    runUntilCommitted();
    deleteOffsets();
    sendToMany();
    long end = ends().values().stream().mapToLong(Long::longValue).sum();
    assertThat(end).isEqualTo(2 * MANY);
    try (StreamsApplication application = start()) {
      Await.until(
          () -> {
            assertThat(application.halted().all()).isEmpty();
            assertThat(application.ended()).isNotDone();
            return allCommitted().equals(ends());
          });
    }
  }

  private Map<TopicPartition, Long> ends() throws Exception {
    Map<TopicPartition, Long> ends = new HashMap<>();
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      latest.put(new TopicPartition(READINGS.topic(), i), OffsetSpec.latest());
    }
    rig.admin()
        .listOffsets(latest)
        .all()
        .get()
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    ends.values().removeIf(end -> end == 0);
    return ends;
  }

  private Map<TopicPartition, Long> allCommitted() throws Exception {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    rig.admin()
        .listConsumerGroupOffsets("weir")
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    return offsets;
  }

  private void sendToMany() throws Exception {
    for (int i = 0; i < MANY - 1; i++) {
      send("sensor-" + i);
    }
    send();
  }

  @Test
  void offsetsThatExpired_whereRecordsWereDeletedSince_goOnWithThoseThatAreLeft() throws Exception {
    send();
    runUntilCommitted();
    deleteOffsets();
    send();
    send();
    rig.admin()
        .deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(end() - 1)))
        .all()
        .get();
    assertThatThrownBy(this::loss)
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("not read past them yet: start it");
    runUntilCommitted();
    assertThat(loss().map(LossFinder.Loss::what))
        .contains("records were deleted before they were read");
    // A state that was lost may have published windows: redrive leaves those out.
    assertThat(firstLate().headers().lastHeader(DeadLetterHeaders.LIFE)).isNotNull();
  }

  private ConsumerRecord<byte[], byte[]> firstLate() {
    try (Consumer<byte[], byte[]> late = reader()) {
      List<TopicPartition> partitions =
          late.partitionsFor(TopicNames.DEFAULT.late()).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      late.assign(partitions);
      late.seekToBeginning(partitions);
      while (true) {
        for (ConsumerRecord<byte[], byte[]> record : late.poll(Duration.ofSeconds(1))) {
          return record;
        }
      }
    }
  }

  private void deleteOffsets() throws Exception {
    while (true) {
      try {
        rig.admin().deleteConsumerGroups(List.of("weir")).all().get();
        return;
      } catch (ExecutionException e) {
        Await.pause(); // The member that stopped may still be in the group.
      }
    }
  }

  private Optional<LossFinder.Loss> loss() {
    return new LossFinder(
            rig.admin(), TopicNames.ALL::of, this::reader, ValueFormat.BARE, List.of())
        .find("weir", READINGS.topic(), READINGS.partition());
  }

  private Consumer<byte[], byte[]> reader() {
    Map<String, Object> settings = new HashMap<>(rig.client());
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "none");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private void accept(LossFinder.Loss loss) {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      LossOrder.write(
          producer,
          TopicNames.DEFAULT.control(),
          "weir",
          READINGS.topic(),
          READINGS.partition(),
          loss,
          new byte[16],
          true);
    }
  }

  /** As where the consumer was ahead of its task, or behind it, when that was committed. */
  @Test
  void stateThatIsWhole_goesOnAtItsEnd_whereverTheOffsetIs() throws Exception {
    send();
    runUntilCommitted();
    String metadata = committed().metadata();
    long stateEnd = end();
    send();
    send();
    commit(new OffsetAndMetadata(stateEnd + 1, metadata));
    assertThat(loss()).isEmpty();
    runUntilCommitted();
    assertThat(applied()).isEqualTo(end());

    send();
    commit(new OffsetAndMetadata(stateEnd, committed().metadata()));
    assertThat(loss()).isEmpty();
    runUntilCommitted();
    assertThat(applied()).isEqualTo(end());
  }

  private long applied() throws Exception {
    return CommitMarks.committed(committed()).orElseThrow().applied().orElseThrow();
  }

  /** The offset alone tells, where nothing was refused before. */
  @Test
  void stateThatEndsBeforeTheOffsets_isRefused_whateverIsLeftOfTheTopic() throws Exception {
    send();
    runUntilCommitted();
    send();
    String metadata = committed().metadata();
    String mark = metadata.substring(0, metadata.lastIndexOf('=') + 1);
    commit(new OffsetAndMetadata(end(), mark + end()));
    rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(end()))).all().get();
    send();

    assertThat(refusal()).contains("state was lost", "the state ends at offset", "was applied");
  }

  /** The only replica lost its end, and has grown past the committed offset since. */
  @Test
  void topicThatWasCutOffAndHasGrownSince_isRefused() throws Exception {
    send();
    send();
    runUntilCommitted();
    rig.close();
    cutOff();
    rig = rig();
    send();
    send();
    send();

    assertThat(refusal()).contains("state was lost", "reading would start at 0");

    LossFinder.Loss loss = loss().orElseThrow();
    assertThat(loss.what()).isEqualTo("the topic lost its end");
    assertThat(loss.nextOffset()).isZero();
    accept(loss);
    runUntilCommitted();
  }

  private void cutOff() throws IOException {
    try (Stream<Path> files = Files.walk(dir.resolve("broker"))) {
      for (Path file : files.filter(this::isOfReadings).toList()) {
        Files.delete(file);
      }
    }
  }

  private boolean isOfReadings(Path file) {
    return file.getParent().endsWith(READINGS.toString()) && !file.endsWith("partition.metadata");
  }

  /** Retention deletes the last record and the marker of its transaction: nothing was lost. */
  @Test
  void stateBehindMarkersThatWereDeleted_goesOn() throws Exception {
    sendInTransaction();
    runUntilCommitted();
    long end = end();
    assertThat(committed().offset()).as("behind the marker").isEqualTo(end);
    rig.admin().deleteRecords(Map.of(READINGS, RecordsToDelete.beforeOffset(end))).all().get();
    assertThat(loss()).isEmpty();
    send();
    runUntilCommitted();
    assertThat(loss()).as("no window is withheld").isEmpty();
  }

  private void send() throws Exception {
    send(SENSOR);
  }

  private void send(String sensor) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      producer.send(reading(sensor)).get();
    }
  }

  private void sendInTransaction() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "g"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(reading(SENSOR)).get();
      producer.commitTransaction();
    }
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(rig.client());
    settings.putAll(more);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static ProducerRecord<byte[], byte[]> reading(String sensor) {
    Reading reading =
        Reading.newBuilder().setSensorId(sensor).setTimestampMs(1_000_000).setValue(1).build();
    byte[] batch = ReadingBatch.newBuilder().addReadings(reading).build().toByteArray();
    return new ProducerRecord<>(READINGS.topic(), SensorPartition.of(sensor), null, batch);
  }

  private long end() throws Exception {
    return rig.admin()
        .listOffsets(Map.of(READINGS, OffsetSpec.latest()))
        .partitionResult(READINGS)
        .get()
        .offset();
  }

  private OffsetAndMetadata committed() throws Exception {
    return rig.admin()
        .listConsumerGroupOffsets("weir")
        .partitionsToOffsetAndMetadata()
        .get()
        .get(READINGS);
  }

  private void commit(OffsetAndMetadata offset) throws Exception {
    while (true) {
      try {
        rig.admin().alterConsumerGroupOffsets("weir", Map.of(READINGS, offset)).all().get();
        return;
      } catch (ExecutionException e) {
        Await.pause(); // The member that stopped may still be in the group.
      }
    }
  }

  private StreamsApplication start() {
    // Each test waits for several commits.
    Map<String, String> environment = Map.of("KAFKA_COMMIT_INTERVAL_MS", "100");
    // No ticks within the test: they would stand behind the markers.
    WeirConfig config = rig.config(environment, Map.of("idle.timeout", "10m"));
    return WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
  }

  /** Until it has committed all that there was. */
  private void runUntilCommitted() throws Exception {
    long end = end();
    try (StreamsApplication application = start()) {
      Await.until(
          () -> {
            assertThat(application.ended()).isNotDone();
            return committed() != null && committed().offset() >= end;
          });
    }
  }

  private String refusal() throws Exception {
    try (StreamsApplication application = start()) {
      Await.until(
          () -> {
            assertThat(application.ended()).isNotDone();
            assertThat(committed().offset()).as("it goes on").isLessThan(end());
            return application.halted().has(READINGS);
          });
      return application.halted().reason(READINGS).orElseThrow();
    }
  }
}

package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.ops.Meters;
import io.weir.lab.Auditor;
import io.weir.lab.ClassArchive;
import io.weir.topic.TopicNames;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application on a real broker: what a test driver does not model. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class WeirOnKafkaTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @TempDir private Path dir;
  private AppRig rig;
  private Admin admin;

  @BeforeEach
  void startBroker() {
    rig = new AppRig(dir);
    admin = rig.admin();
  }

  @AfterEach
  void stopBroker() {
    rig.close();
  }

  @Test
  void trafficWithFaults_acrossRestartsAndAStandby_endsInTheOraclesWindows() throws Exception {
    rig.createTopics();
    try (BrokerTraffic traffic = traffic()) {
      try (StreamsApplication first = start(config(Map.of()))) {
        traffic.send(60);
        traffic.sendPoison(3, new byte[] {1, 2, 3});
        assertThat(first.ended()).isNotDone();
      }
      traffic.send(20);
      Map<String, String> standby = Map.of("KAFKA_NUM_STANDBY_REPLICAS", "1");
      try (StreamsApplication third = start(config(standby, Map.of("state.dir", dir + "/third")))) {
        try (StreamsApplication second = start(config(standby, Map.of()))) {
          traffic.send(60);
          assertThat(second.ended()).isNotDone();
        }
        traffic.send(40);
        traffic.awaitFound();
        assertThat(third.ended()).isNotDone();
      }
      traffic.check();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    }
  }

  @Test
  void applicationKilledInMidTransaction_losesNothingAndCountsNothingTwice() throws Exception {
    rig.createTopics();
    List<Process> processes = new ArrayList<>();
    try (BrokerTraffic traffic = traffic()) {
      for (int kill = 0; kill < 2; kill++) {
        Process weir = startProcess(kill);
        processes.add(weir);
        traffic.send(20);
        awaitSomeOutput(traffic);
        traffic.send(40);
        assertThat(weir.isAlive()).isTrue();
        weir.destroyForcibly().waitFor();
      }
      processes.add(startProcess(2));
      traffic.send(20);
      traffic.awaitFound();
      traffic.check();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** The next commit that nothing asks for comes after this test's time is over. */
  @Test
  void windowThatCloses_isReadableBeforeTheCommitIntervalIsOver() throws Exception {
    rig.createTopics();
    Map<String, String> rareCommits =
        Map.of(
            "KAFKA_COMMIT_INTERVAL_MS", "600000",
            "KAFKA_PRODUCER_TRANSACTION_TIMEOUT_MS", "900000");
    try (BrokerTraffic traffic = traffic();
        StreamsApplication application = start(config(rareCommits, Map.of()))) {
      traffic.send(20);
      awaitSomeOutput(traffic);
      assertThat(application.ended()).isNotDone();
    }
  }

  @Test
  void readingsTopic_withAnotherPartitionCount_refusesTheStart() throws Exception {
    admin
        .createTopics(List.of(new NewTopic(TopicNames.DEFAULT.readings(), 32, (short) 1)))
        .all()
        .get();
    rig.createTopics();

    assertThatThrownBy(() -> start(config(Map.of())).close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("32")
        .hasMessageContaining("64");
  }

  @Test
  void readingsTopic_thatGrowsWhileRunning_endsTheApplication() throws Exception {
    rig.createTopics();
    try (StreamsApplication application = start(config(Map.of()))) {
      admin
          .createPartitions(Map.of(TopicNames.DEFAULT.readings(), NewPartitions.increaseTo(128)))
          .all()
          .get();

      Optional<String> reason = application.ended().get(2, TimeUnit.MINUTES);
      assertThat(reason).hasValueSatisfying(text -> assertThat(text).contains("128", "64"));
    }
  }

  @Test
  void recordWithoutAppendTime_endsTheApplication() throws Exception {
    admin
        .createTopics(
            List.of(
                new NewTopic(TopicNames.DEFAULT.readings(), 64, (short) 1)
                    .configs(Map.of("message.timestamp.type", "CreateTime"))))
        .all()
        .get();
    rig.createTopics();
    assertThatThrownBy(() -> start(config(Map.of())).close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("LogAppendTime");

    sendOne();
    TopicConfigs.set(
        admin, TopicNames.DEFAULT.readings(), "message.timestamp.type", "LogAppendTime");
    try (StreamsApplication application = start(config(Map.of()))) {
      Optional<String> reason = application.ended().get(1, TimeUnit.MINUTES);
      assertThat(reason).hasValueSatisfying(text -> assertThat(text).contains("CreateTime"));
    }
  }

  @Test
  void changelogThatIsGone_refusesTheStart() throws Exception {
    rig.createTopics();
    sendOne();
    runUntilCommitted();
    admin.deleteTopics(List.of(AppRig.CHANGELOG)).all().get();

    assertThatThrownBy(() -> start(config(Map.of())).close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("state was lost")
        .hasMessageContaining("weir.application.id");
  }

  /** Kafka deletes committed offsets together with the topic that they are of. */
  @Test
  void readingsThatWereMadeAgain_refuseTheStart() throws Exception {
    rig.createTopics();
    sendOne();
    runUntilCommitted();
    admin.deleteTopics(List.of(TopicNames.DEFAULT.readings())).all().get();
    Await.until(() -> !admin.listTopics().names().get().contains(TopicNames.DEFAULT.readings()));
    rig.createTopics();

    assertThatThrownBy(() -> start(config(Map.of())).close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining(TopicNames.DEFAULT.readings())
        .hasMessageContaining("recreated")
        .hasMessageContaining("weir.application.id");
  }

  /** Another member commits for the first time while this one looks: what it found is too old. */
  @Test
  void stateThatIsCommittedWhileTheStartLooks_isNoStateWithoutOffsets() throws Exception {
    rig.createTopics();
    sendOne();
    runUntilCommitted();
    try (Admin late = new LateOffsets(rig.client())) {
      WeirConfig config = config(Map.of());
      new StartChecks(late, config, WeirApplication.plan(config)).statesAreThere();
    }
  }

  /** Knows no committed offsets when it is asked for the first time. */
  private static final class LateOffsets extends ForwardingAdmin {
    private boolean asked;

    LateOffsets(Map<String, Object> client) {
      super(client);
    }

    @Override
    public ListConsumerGroupOffsetsResult listConsumerGroupOffsets(
        Map<String, ListConsumerGroupOffsetsSpec> groups, ListConsumerGroupOffsetsOptions options) {
      if (asked) {
        return super.listConsumerGroupOffsets(groups, options);
      }
      asked = true;
      return super.listConsumerGroupOffsets(
          Map.of("nobody", new ListConsumerGroupOffsetsSpec()), options);
    }
  }

  @Test
  void offsetsBeyondTheEnd_refuseTheStart() throws Exception {
    rig.createTopics();
    sendOne();
    runUntilCommitted();
    TopicPartition first = new TopicPartition(TopicNames.DEFAULT.readings(), 0);
    while (!alterOffset(first, 7)) {
      Await.pause(); // The member that stopped may still be in the group.
    }

    assertThatThrownBy(() -> start(config(Map.of())).close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("up to offset 7, and it ends at 1");
  }

  private boolean alterOffset(TopicPartition partition, long offset) throws InterruptedException {
    try {
      admin
          .alterConsumerGroupOffsets("weir", Map.of(partition, new OffsetAndMetadata(offset)))
          .all()
          .get();
      return true;
    } catch (ExecutionException e) {
      return false;
    }
  }

  @Test
  void changedWindowSize_endsTheApplicationWithTheWaysOut() throws Exception {
    rig.createTopics();
    sendOne();
    runUntilCommitted();

    try (StreamsApplication application = start(config(Map.of("window.size", "7s")))) {
      Optional<String> reason = application.ended().get(1, TimeUnit.MINUTES);
      assertThat(reason)
          .hasValueSatisfying(text -> assertThat(text).contains("7000ms", "50ms", "Reset"));
    }
  }

  private BrokerTraffic traffic() {
    return new BrokerTraffic(
        rig.bootstrapServers(), WindowSpecs.of(config(Map.of()).windows()), SEED);
  }

  private static StreamsApplication start(WeirConfig config) {
    return WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
  }

  private WeirConfig config(Map<String, String> more) {
    return rig.config(Map.of(), more);
  }

  private WeirConfig config(Map<String, String> environment, Map<String, String> more) {
    return rig.config(environment, more);
  }

  private Process startProcess(int number) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // As the tests.
    command.add("-Xmx256m");
    command.addAll(ClassArchive.options());
    command.addAll(List.of("io.weir.cli.Weir", "run"));
    rig.options(Map.of())
        .forEach((key, value) -> command.add("--" + key.replace('.', '-') + "=" + value));
    File log = dir.resolve("weir-" + number + ".log").toFile();
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
  }

  private void sendOne() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", rig.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(TopicNames.DEFAULT.readings(), 0, null, new byte[0]))
          .get();
    }
  }

  private void runUntilCommitted() throws Exception {
    try (StreamsApplication application = start(config(Map.of()))) {
      while (admin
          .listConsumerGroupOffsets("weir")
          .partitionsToOffsetAndMetadata()
          .get()
          .isEmpty()) {
        assertThat(application.ended()).isNotDone();
        Await.pause();
      }
    }
  }

  private void awaitSomeOutput(BrokerTraffic traffic) {
    try (Auditor auditor = rig.auditor()) {
      Await.until(() -> auditor.tally().inWindows() != 0);
    }
  }
}

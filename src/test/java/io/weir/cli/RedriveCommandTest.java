package io.weir.cli;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.internal.redrive.DeadLetterTopic;
import io.weir.lab.Auditor;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedriveCommandTest {
  private static final int DEAD_LETTERS = 6_000;

  @TempDir private Path dir;

  private static EmbeddedKafka kafka;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    DeadLetterTopic.commitLives(admin, "weir", "weir.readings");
    try (DeadLetterTopic late = new DeadLetterTopic(kafka.bootstrapServers(), "weir.late")) {
      late.late(3, batch("gw", reading("a", 5, 1), reading("b", 5, 2))).commit();
    }
    try (DeadLetterTopic dead =
        new DeadLetterTopic(kafka.bootstrapServers(), "weir.dead-letters")) {
      for (int i = 0; i < DEAD_LETTERS; i++) {
        dead.dead(i % 64, RejectReason.MISROUTED, batch("gw", reading("s" + i, 5, i)));
      }
      dead.commit();
    }
  }

  @AfterAll
  static void stop() {
    admin.close();
    kafka.close();
  }

  @Test
  void lateReadings_dryThenInEarnestThenByMistake() throws Exception {
    WeirProcess.Ended stopped =
        CommandHost.shared()
            .run("redrive", "late", "--bootstrap-servers", kafka.bootstrapServers());
    assertThat(stopped.err()).contains("application weir does not run", "--yes");
    assertThat(stopped.status()).isEqualTo(1);

    WeirProcess.Ended dry = redrive("late", "--dry-run");
    assertThat(dry.err()).startsWith("application weir:");
    assertThat(dry.out())
        .isEqualTo(
            "dry run: matching 1 records = to send 1 + sent before 0 + returned 0 + skipped 0;"
                + " 2 readings in 2 batches\n");
    assertThat(dry.status()).isZero();

    WeirProcess.Ended first = redrive("late");
    assertThat(first.out()).startsWith("redrive: matching 1 records = sent 1 + sent before 0");
    assertThat(first.err()).contains("late again: only a reset");
    assertThat(first.status()).isZero();

    WeirProcess.Ended second = redrive("late");
    assertThat(second.out()).contains("= sent 0 + sent before 1").contains("; 0 readings");
    assertThat(second.err()).contains("weir redrive: all matching records", "--force");
    assertThat(second.status()).isEqualTo(1);

    try (DeadLetterTopic late = new DeadLetterTopic(kafka.bootstrapServers(), "weir.late")) {
      late.late(3, batch("other", reading("", 5, 1))).commit();
    }
    WeirProcess.Ended refused = redrive("late", "--gateway", "other");
    assertThat(refused.out()).contains("matching 1 records = sent 0");
    assertThat(refused.err()).contains("weir redrive: no record was sent");
    assertThat(refused.status()).isEqualTo(1);
  }

  @Test
  void killedInTheMiddle_andRunAgain_sendsEachDeadLetterOnce_toItsWindow() throws Exception {
    Process killed = start("dead-letters");
    while (!isMarked("weir.dead-letters.redriven")) {
      assertThat(killed.isAlive()).isTrue();
      Await.pause();
    }
    killed.destroyForcibly().waitFor();

    WeirProcess.Ended again = redrive("dead-letters");
    assertThat(again.out())
        .contains("matching " + DEAD_LETTERS + " records")
        .doesNotContain("sent before 0");

    List<String> sent = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record :
        Committed.afterTransactions(kafka.bootstrapServers(), List.of("weir.readings"))) {
      ReadingBatch batch = ReadingBatch.parseFrom(record.value());
      batch.getReadingsList().stream()
          .map(reading -> reading.getSensorId())
          .filter(id -> id.startsWith("s"))
          .forEach(sent::add);
    }
    assertThat(sent).hasSize(DEAD_LETTERS).doesNotHaveDuplicates();
    assertAllEndInWindows();
  }

  private void assertAllEndInWindows() {
    Map<String, String> options =
        Map.of(
            "bootstrap.servers", kafka.bootstrapServers(),
            "idle.timeout", "300ms",
            "state.dir", dir.toString());
    WeirConfig config = WeirConfig.of(new Properties(), Map.of(), options);
    try (StreamsApplication application =
            WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
        Auditor auditor =
            Auditor.start(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                TopicNames.DEFAULT,
                window -> {})) {
      while (auditor.tally().inWindows() < DEAD_LETTERS) {
        assertThat(application.ended()).isNotDone();
        Await.pause();
      }
      assertThat(auditor.tally().rejectedByReason())
          .isEqualTo(Map.of(RejectReason.MISROUTED, (long) DEAD_LETTERS));
    }
  }

  /** Whether a transaction is done. */
  private static boolean isMarked(String marks) throws Exception {
    if (!admin.listTopics().names().get().contains(marks)) {
      return false;
    }
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      ends.put(new TopicPartition(marks, partition), OffsetSpec.latest());
    }
    ListOffsetsOptions committed = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
    return admin.listOffsets(ends, committed).all().get().values().stream()
        .anyMatch(end -> end.offset() > 0);
  }

  private static WeirProcess.Ended redrive(String... arguments) throws Exception {
    return CommandHost.shared().run(words(arguments));
  }

  private static Process start(String... arguments) throws Exception {
    return WeirProcess.start(words(arguments));
  }

  private static String[] words(String... arguments) {
    List<String> all = new ArrayList<>(List.of("redrive", "--yes"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", kafka.bootstrapServers()));
    return all.toArray(new String[0]);
  }
}

package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.cli.pages.Exposition;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Each trouble of topics and records, made on a broker, is found; where there is none, nothing is.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class DoctorOnKafkaTest extends DoctorRig {
  @Test
  @Order(1)
  void healthyCluster_hasNothingWrong() {
    Doctor.Diagnosis diagnosis =
        Doctor.withAll(System::currentTimeMillis).examine(examine("healthy"));

    assertThat(diagnosis.findings()).isEmpty();
    assertThat(diagnosis.notLooked()).isEmpty();
    assertThat(DoctorText.lines(diagnosis)).containsExactly("no findings");
  }

  @Test
  @Order(4)
  void stateThatIsGone_isFound() throws Exception {
    commit("lost", "weir.readings", 0, 5);

    Finding finding = only(new StateCheck().look(examine("lost")));
    assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
    assertThat(finding.what()).contains("lost-", "changelog does not exist", ": 0");
  }

  @Test
  @Order(4)
  void stateThatIsMadeBetweenTheLooks_isNotCalledGone() {
    Examination of = examine("begins", () -> commit("begins", "weir.readings", 0, 5));

    assertThat(new StateCheck().look(of)).isEmpty();
  }

  @Test
  @Order(4)
  void stateWithoutALeader_isNotCalledEmpty() throws Exception {
    commit("leaderless", "weir.readings", 0, 5);
    Examination seen = examine("leaderless");
    TopicDescription changelog = new TopicDescription(seen.changelog(), false, List.of());
    Examination of =
        new Examination(
            admin,
            seen.config(),
            Map.of(seen.changelog(), changelog),
            Set.of(new TopicPartition(seen.changelog(), 0)),
            seen.programs(),
            seen.reader(),
            Pages.NONE);

    assertThat(new StateCheck().look(of)).isEmpty();
  }

  @Test
  @Order(5)
  void readingsDeletedBeforeTheyWereRead_areFound_andThoseNearIt() throws Exception {
    send("weir.readings", 0, 20);
    commit("overrun", "weir.readings", 0, 5);
    commit("near", "weir.readings", 0, 9);
    admin
        .deleteRecords(
            Map.of(new TopicPartition("weir.readings", 0), RecordsToDelete.beforeOffset(8)))
        .all()
        .get();

    Finding overrun = only(new RetentionCheck().look(examine("overrun")));
    assertThat(overrun.severity()).isEqualTo(Severity.BROKEN);
    assertThat(overrun.what()).contains("partition 0 lacks 3");
    Finding near = only(new RetentionCheck().look(examine("near")));
    assertThat(near.severity()).isEqualTo(Severity.RISK);
  }

  @Test
  @Order(8)
  void transactionThatStaysOpen_isFoundOnce_withAllThatItBlocks() throws Exception {
    try (KafkaProducer<byte[], byte[]> open =
        producer(Map.of("transactional.id", "somebody", "transaction.timeout.ms", 60_000))) {
      open.initTransactions();
      open.beginTransaction();
      open.send(new ProducerRecord<>("weir.windows", 7, null, VALUE)).get();
      open.send(new ProducerRecord<>("weir.windows", 8, null, VALUE)).get();

      Finding finding = only(new TransactionsCheck().look(examine("blocked")));
      assertThat(finding.severity()).isEqualTo(Severity.RISK);
      assertThat(finding.what())
          .contains("weir.windows-7 at offset 0", "weir.windows-8 at offset 0", "somebody");
      open.abortTransaction();
    }
    while (!new TransactionsCheck().look(examine("blocked")).isEmpty()) {
      Await.pause(); // Its end is written after the producer was notified of it.
    }
  }

  @Test
  @Order(8)
  void transactionThatNoCoordinatorKnows_isFound_withTheCommandThatEndsIt() throws Exception {
    HangingTransaction hanging =
        HangingTransaction.begin(kafka.bootstrapServers(), new TopicPartition("weir.windows", 9));

    Finding finding = only(new TransactionsCheck().look(examine("hanging")));
    assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
    assertThat(finding.what()).contains("weir.windows-9 at offset 0", "no coordinator knows");
    assertThat(finding.remedy()).contains("--topic weir.windows --partition 9 --start-offset 0");

    hanging.abort(admin);
    while (!new TransactionsCheck().look(examine("hanging")).isEmpty()) {
      Await.pause(); // Its end is written after the request was answered.
    }
  }

  @Test
  @Order(9)
  void deadLetters_areReportedByReasonAndGateway() throws Exception {
    deadLetter("FENCED", "line-7");
    deadLetter("FENCED", "line-7");
    deadLetter("FUTURE_TIMESTAMP", "line-8");
    deadLetter("UNDECODABLE", "");
    deadLetter("INVALID_VALUE", "line-9");
    deadLetter("X; touch x\u001b", "line-9");

    List<Finding> findings =
        new DeadLettersCheck(System::currentTimeMillis).look(examine("letters"));
    assertThat(findings).hasSize(5);
    assertThat(found(findings, "X;").remedy()).endsWith("--reason $'X; touch x\\033'");
    assertThat(found(findings, "FENCED").what()).contains("2 dead letters", "line-7 2");
    assertThat(found(findings, "FENCED").why()).contains("two processes");
    assertThat(found(findings, "FUTURE_TIMESTAMP").why()).contains("clock is ahead");
    assertThat(found(findings, "FUTURE_TIMESTAMP").what()).contains("line-8");
    assertThat(found(findings, "UNDECODABLE").what()).contains("(unknown) 1");
    assertThat(found(findings, "INVALID_VALUE").severity()).isEqualTo(Severity.RISK);
  }

  private static void deadLetter(String reason, String gateway) throws Exception {
    ProducerRecord<byte[], byte[]> deadLetter =
        new ProducerRecord<>("weir.dead-letters", 1, null, VALUE);
    deadLetter
        .headers()
        .add(DeadLetterHeaders.REASON, reason.getBytes(StandardCharsets.UTF_8))
        .add(DeadLetterHeaders.GATEWAY, gateway.getBytes(StandardCharsets.UTF_8));
    producer.send(deadLetter).get();
  }

  private static Finding found(List<Finding> findings, String reason) {
    return findings.stream().filter(f -> f.what().contains(reason)).findFirst().orElseThrow();
  }

  @Test
  @Order(10)
  void twoProcessesWithOneGatewayId_areNamed_andOneThatWasStartedAgainIsNot() throws Exception {
    for (int sequence = 1; sequence <= 4; sequence++) {
      batch("line-4", 100, sequence);
      batch("line-4", 200, sequence);
      batch("line-5", 100, sequence);
    }
    for (int sequence = 1; sequence <= 4; sequence++) {
      batch("line-5", 200, sequence);
    }

    assertThat(only(new GatewayIdsCheck().look(examine("ids"))).what())
        .isEqualTo("two processes publish in turns under one gateway id: line-4");
  }

  private static void batch(String gateway, long boot, long sequence) throws Exception {
    ReadingBatch batch =
        ReadingBatch.newBuilder()
            .setGatewayId(gateway)
            .setBootId(boot)
            .setSequence(sequence)
            .build();
    producer.send(new ProducerRecord<>("weir.readings", 9, null, batch.toByteArray())).get();
  }

  @Test
  @Order(10)
  void clocks_thatDiffer_areFound() {
    long behindMs = System.currentTimeMillis() - 600_000;
    Exposition page = new Exposition("weir_append_time_back_total 300.0\n");

    List<Finding> findings =
        new ClockCheck(() -> behindMs)
            .look(examine("clocks", Map.of("10.0.0.1:8080", page), Optional.empty()));
    assertThat(findings).hasSize(2);
    assertThat(findings.get(0).what()).contains("ahead of this machine");
    assertThat(findings.get(1).what()).contains("went back 300 times");
    assertThat(new ClockCheck(System::currentTimeMillis).look(examine("clocks"))).isEmpty();
  }

  @Test
  @Order(11)
  void processes_thatAreShortOfMemory_orHaveMuchLate_areFound() {
    Exposition page =
        new Exposition(
            """
            jvm_gc_live_data_size_bytes 90.0
            jvm_gc_max_data_size_bytes 100.0
            weir_threads_died_total 1.0
            weir_readings_total{outcome="aggregated",reason=""} 900.0
            weir_readings_total{outcome="late",reason=""} 100.0
            """);
    List<Finding> findings =
        new ProcessCheck()
            .look(examine("processes", Map.of("10.0.0.1:8080", page), Optional.empty()));

    assertThat(findings).extracting(Finding::what).anySatisfy(w -> assertThat(w).contains("90 %"));
    assertThat(findings)
        .extracting(Finding::what)
        .anySatisfy(w -> assertThat(w).contains("10.0 %"));
    assertThat(findings).extracting(Finding::what).anySatisfy(w -> assertThat(w).contains("died"));
  }

  @Test
  @Order(12)
  void changelogThatIsMuchLargerThanTheState_isFound() throws Exception {
    Examination bare = examine("fat");
    String changelog = bare.changelog();
    admin.createTopics(List.of(new NewTopic(changelog, 64, (short) 1))).all().get();
    send(changelog, 0, 2_000);
    Exposition page = new Exposition("weir_sensors 1.0\n");
    Examination of = examine("fat", Map.of("10.0.0.1:8080", page), Optional.empty());

    assertThat(only(new ChangelogCheck(100).look(of)).what()).contains(changelog, "1 sensors");
    assertThat(new ChangelogCheck().look(of)).isEmpty();
    // It was not made as Kafka Streams would have: its policy deletes state.
    assertThat(new TopicsCheck().look(of))
        .anySatisfy(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
              assertThat(finding.what()).contains(changelog, "cleanup.policy");
            });
  }

  @Test
  @Order(16)
  void topicThatAsksForMoreReplicasThanItHas_isFound() throws Exception {
    set("weir.late", "min.insync.replicas", "2");
    List<Finding> findings = new ReplicasCheck().look(examine("least"));
    while (findings.isEmpty()) {
      findings = new ReplicasCheck().look(examine("least"));
    }
    set("weir.late", "min.insync.replicas", "1");

    assertThat(only(findings).severity()).isEqualTo(Severity.BROKEN);
    assertThat(only(findings).what()).contains("64 partitions", "min.insync.replicas", "weir.late");
  }

  @Test
  @Order(18)
  void topicsThatAreNotAsPlanned_areFound_theWorstFirst() throws Exception {
    set("weir.readings", "message.timestamp.type", "CreateTime");
    set("weir.windows", "retention.ms", "60000");
    set("weir.late", "retention.bytes", "-1");
    Examination of = examine("topics");
    Doctor doctor = new Doctor(List.of(new TopicsCheck()));
    Await.until(() -> doctor.examine(of).findings().size() >= 2);

    Doctor.Diagnosis diagnosis = doctor.examine(of);
    assertThat(diagnosis.findings()).as("a longer retention is no finding").hasSize(2);
    assertThat(diagnosis.findings().get(0).severity()).isEqualTo(Severity.BROKEN);
    assertThat(diagnosis.findings().get(0).what()).contains("message.timestamp.type=CreateTime");
    assertThat(diagnosis.findings().get(1).severity()).isEqualTo(Severity.RISK);
    assertThat(diagnosis.findings().get(1).what()).contains("weir.windows", "retention.ms=60000");
    assertThat(diagnosis.findings().get(1).why()).contains("deleted before");
    String text = String.join("\n", DoctorText.lines(diagnosis));
    assertThat(text).startsWith("BROKEN  topics: weir.readings").endsWith("2 findings");
  }

  @Test
  @Order(19)
  void topicsWithOtherPartitions_orThatAreGone_areFound() throws Exception {
    admin.deleteTopics(List.of("weir.late", "weir.control")).all().get();
    admin.createTopics(List.of(new NewTopic("weir.late", 3, (short) 1))).all().get();
    List<Finding> findings = new TopicsCheck().look(examine("topics"));
    while (findings.stream().noneMatch(f -> f.what().startsWith("weir.late: found 3 partitions"))) {
      findings = new TopicsCheck().look(examine("topics"));
    }

    assertThat(found(findings, "weir.late: found 3 partitions").what()).contains("expected 64");
    assertThat(found(findings, "weir.late: found 3 partitions").severity())
        .isEqualTo(Severity.BROKEN);
    assertThat(found(findings, "weir.control").what()).contains("no such topic");
  }
}

package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import io.weir.cli.pages.Exposition;
import io.weir.internal.app.WeirConfig;
import io.weir.topic.TopicAdmin;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Each trouble of groups and lag, made on a broker, is found; a rebalance is none. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class DoctorOnGroupsTest extends DoctorRig {
  @Test
  @Order(1)
  void batchesThatNobodyReads_areFound() throws Exception {
    send("weir.readings", 0, 20);

    Finding finding = only(new GroupCheck().look(examine("nobody")));
    assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
    assertThat(finding.what()).contains("no member is in the group nobody", "20 records");
  }

  @Test
  @Order(2)
  void loadOnFewPartitions_thatIsMoreThanTheirThreadsTake_isFound() throws Exception {
    grow("few", 2_000, 1);

    Examination of = examine("few", () -> grow("few", 20, 10));
    Finding finding = found(new LagCheck().look(of), "lag grows");
    assertThat(finding.what()).contains("in 2 of 64 partitions");
    assertThat(finding.why()).contains("the load is on few partitions");
  }

  @Test
  @Order(3)
  void groupThatIsFarBehind_isFound_andOneThatSoonHasCaughtUpIsNot() throws Exception {
    commit("far", "weir.readings", 10, 1);
    Examination far = examine("far", () -> commit("far", "weir.readings", 10, 11));
    assertThat(found(new LagCheck().look(far), "far behind").what())
        .startsWith("weir run is far behind: ")
        .contains("and 10 were read");

    commit("soon", "weir.readings", 10, 1);
    Examination soon = examine("soon", () -> commit("soon", "weir.readings", 10, 1_900));
    assertThat(new LagCheck().look(soon))
        .extracting(Finding::what)
        .noneSatisfy(what -> assertThat(what).contains("far behind"));
  }

  private static void grow(String group, int records, long readUpTo) throws Exception {
    for (int partition = 10; partition < 12; partition++) {
      send("weir.readings", partition, records);
      commit(group, "weir.readings", partition, readUpTo);
    }
  }

  private static Finding found(List<Finding> findings, String what) {
    return findings.stream().filter(f -> f.what().contains(what)).findFirst().orElseThrow();
  }

  @Test
  @Order(4)
  void memberThatIsFrozen_isNamedWithItsPartitions() throws Exception {
    try (KafkaConsumer<byte[], byte[]> frozen =
        consumer(Map.of("group.id", "frozen", "client.id", "weir-3"))) {
      frozen.subscribe(List.of("weir.readings"));
      while (frozen.assignment().isEmpty()) {
        frozen.poll(Duration.ofMillis(100));
      }

      Finding finding = only(new GroupCheck().look(examine("frozen")));
      assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
      assertThat(finding.what()).contains("stall although", "0, 10, 11 (weir-3 on ");
    }
  }

  @Test
  @Order(5)
  void rebalance_isNotCalledAMemberThatIsFrozen_norPartitionsWithoutOne() throws Exception {
    try (KafkaConsumer<byte[], byte[]> member = member("joined", "weir.readings");
        KafkaConsumer<byte[], byte[]> second = consumer(Map.of("group.id", "joined"))) {
      second.subscribe(List.of("weir.readings"));
      do { // The first member does not poll: it does not join again.
        second.poll(Duration.ofMillis(50));
      } while (state("joined") != GroupState.PREPARING_REBALANCE);

      Finding finding = only(new GroupCheck().look(examine("joined")));
      assertThat(finding.severity()).isEqualTo(Severity.RISK);
      assertThat(finding.what()).isEqualTo("the group joined rebalances");
      // Without waiting for the rebalance, which the first member will not take part in.
      second.close(CloseOptions.timeout(Duration.ZERO));
      member.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  @Test
  @Order(6)
  void partitionsThatChangedHandsBetweenTheLooks_doNotStandStill() throws Exception {
    try (KafkaConsumer<byte[], byte[]> second = consumer(Map.of("group.id", "handed"))) {
      KafkaConsumer<byte[], byte[]> first = member("handed", "weir.readings");
      Examination of =
          examine(
              "handed",
              () -> {
                first.close();
                second.subscribe(List.of("weir.readings"));
                awaitAssignment(second);
              });

      assertThat(new GroupCheck().look(of)).isEmpty();
    }
  }

  @Test
  @Order(7)
  void memberThatReadsItsState_isNotCalledFrozen() throws Exception {
    try (KafkaConsumer<byte[], byte[]> member = member("restoring", "weir.readings")) {
      Exposition page = new Exposition("weir_restore_remaining 17.0\n");
      Examination of = examine("restoring", Map.of("10.0.0.1:8080", page), Optional.empty());

      Finding finding = only(new GroupCheck().look(of));
      assertThat(finding.severity()).isEqualTo(Severity.RISK);
      assertThat(finding.why()).contains("restores state from its changelog");
      assertThat(member.assignment()).isNotEmpty();
    }
  }

  @Test
  @Order(8)
  void partitionsThatNoMemberHas_areFound() throws Exception {
    try (KafkaConsumer<byte[], byte[]> member = member("without", "weir.late")) {
      Finding finding = only(new GroupCheck().look(examine("without")));
      assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
      assertThat(finding.what()).contains("partitions that no member has: 0, 10, 11");
      assertThat(member.assignment()).isNotEmpty();
    }
  }

  private static KafkaConsumer<byte[], byte[]> member(String group, String topic) {
    KafkaConsumer<byte[], byte[]> member = consumer(Map.of("group.id", group));
    member.subscribe(List.of(topic));
    awaitAssignment(member);
    return member;
  }

  private static void awaitAssignment(KafkaConsumer<byte[], byte[]> member) {
    while (member.assignment().isEmpty()) {
      member.poll(Duration.ofMillis(100));
    }
  }

  private static GroupState state(String group) throws Exception {
    return admin.describeConsumerGroups(List.of(group)).all().get().get(group).groupState();
  }

  @Test
  @Order(9)
  void partitionThatLagsAlone_isNamedWithItsHeaviestSensor() throws Exception {
    send("weir.readings", 3, 1_200);
    HotRow row = new HotRow("vib-1", 3, 6_000_000, false, 0.97, 0.6);
    HotReport hot = new HotReport(64, 10_000_000, 1, List.of(row), List.of());
    Examination of = examine("lagging", Map.of(), Optional.of(hot));

    Finding lag = only(new LagCheck().look(of));
    assertThat(lag.what()).contains("3 by 1200 records (heaviest: vib-1)");
    Finding sensor = only(new HotCheck().look(of));
    assertThat(sensor.what()).contains("sensor vib-1 sends 60 %", "partition 3");
  }

  @Test
  @Order(10)
  void throughputThatHasReachedItsEnd_isFound() throws Exception {
    plateau(1_100, 1);
    Runnable work =
        () -> {
          try {
            plateau(20, 10);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };

    Examination of = Examination.of(admin, config("plateau"), work, () -> null, () -> Pages.NONE);
    Finding finding = only(new LagCheck().look(of));
    assertThat(finding.what()).contains("lag grows although all partitions make progress");
    assertThat(finding.why()).contains("has reached its limit");
  }

  /** More than half of the partitions get records, and are read up to an offset. */
  private static void plateau(int records, long readUpTo) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
    for (int partition = 20; partition < 64; partition++) {
      send("weir.readings", partition, records);
      read.put(new TopicPartition("weir.readings", partition), new OffsetAndMetadata(readUpTo));
    }
    admin.alterConsumerGroupOffsets("plateau", read).all().get();
  }

  @Test
  @Order(11)
  void eventsAndSink_areLookedAt_whereTheyAreSwitchedOn() throws Exception {
    WeirConfig config =
        config(
            "both",
            Map.of("weir.events", "true", "weir.sink.jdbc.url", "jdbc:postgresql://localhost/w"));
    new TopicAdmin(admin, config.topics()).createMissing();
    send("weir.scheduled", 2, 30);
    send("weir.scheduled", 3, 1_100);
    send("weir.windows", 5, 40);
    commit("weir-events", "weir.scheduled", 2, 10);
    admin
        .deleteRecords(
            Map.of(new TopicPartition("weir.scheduled", 2), RecordsToDelete.beforeOffset(20)))
        .all()
        .get();

    Examination of = examine(config, Pages.NONE);
    assertThat(new GroupCheck().look(of))
        .extracting(Finding::what)
        .anySatisfy(what -> assertThat(what).contains("in the group weir-events, and 1110 records"))
        .anySatisfy(what -> assertThat(what).contains("in the group both-sink"));
    assertThat(only(new RetentionCheck().look(of)).what())
        .contains("weir.scheduled", "weir events", "partition 2 lacks 10");
    assertThat(only(new StateCheck().look(of)).what())
        .contains("weir-events-weir-timers-changelog does not exist", ": 2");
    assertThat(new LagCheck().look(of))
        .extracting(Finding::what)
        .anySatisfy(what -> assertThat(what).startsWith("weir events: a few").contains("1100"));
  }
}

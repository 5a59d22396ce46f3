package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.doctor.Examination.ClusterSamples;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

/**
 * How often the doctor looks, and what it says of partitions that stall, with and without a broker
 * missing. Moments are given, so no time passes.
 */
class ClusterSamplesTest {
  private static final TopicPartition READINGS = new TopicPartition("weir.readings", 12);
  private static final Node FIRST = new Node(1, "kafka-0", 9092);
  private static final Node SECOND = new Node(2, "kafka-1", 9092);

  private final Deque<ClusterSnapshot> moments = new ArrayDeque<>();
  private int waits;

  @Test
  void partitionsThatMove_areLookedAtTwice() {
    moments.add(moment(5, FIRST, SECOND));
    moments.add(moment(9, FIRST, SECOND));

    assertThat(look()).isEmpty();
    assertThat(waits).isEqualTo(1);
  }

  @Test
  void stallThatEndsBeforeTheThirdLook_isNone() {
    moments.add(moment(5, FIRST));
    moments.add(moment(5, FIRST));
    moments.add(moment(6, FIRST));

    assertThat(look()).isEmpty();
    assertThat(waits).isEqualTo(2);
  }

  @Test
  void stallOfThreeLooks_isAFrozenMember_whereAllBrokersAreThere() {
    for (int i = 0; i < 3; i++) {
      moments.add(moment(5, FIRST, SECOND));
    }

    assertThat(look())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.BROKEN);
              assertThat(finding.what()).contains("12 (weir-3 on /10.0.0.7)");
              assertThat(finding.why()).contains("frozen");
            });
    assertThat(waits).as("there is no fourth look").isEqualTo(2);
  }

  @Test
  void stallOfThreeLooks_isARisk_whileABrokerRestarts() {
    moments.add(moment(5, FIRST, SECOND));
    moments.add(moment(5, FIRST));
    moments.add(moment(5, FIRST));

    assertThat(look())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.RISK);
              assertThat(finding.why()).contains("a broker is missing");
            });
    assertThat(waits).isEqualTo(2);
  }

  /** The brokers are judged as they are at the last look. */
  @Test
  void stallOfThreeLooks_isAFrozenMember_whereTheBrokersAreBackAtTheLastLook() {
    moments.add(moment(5, FIRST));
    moments.add(moment(5, FIRST));
    moments.add(moment(5, FIRST, SECOND));

    assertThat(look()).singleElement().extracting(Finding::severity).isEqualTo(Severity.BROKEN);
  }

  @Test
  void membersThatWereGivenUpBetweenTheLooks_areNamed() {
    moments.add(moment(5, FIRST, SECOND));
    moments.add(moment(List.of(), 5, FIRST, SECOND));

    assertThat(look())
        .extracting(Finding::what)
        .containsExactly(
            "no member is in the group weir, and 5 records wait; at the first sample there were weir-3"
                + " on /10.0.0.7");
  }

  private List<Finding> look() {
    ClusterSamples looks = ClusterSamples.make(moments::remove, () -> waits++);
    assertThat(moments).isEmpty();
    return new GroupCheck().look(Examination.of(null, null, looks, () -> null, Pages.NONE));
  }

  /**
   * A partition that a member has, with ten records, read up to an offset, whose replicas should be
   * on two brokers.
   */
  private static ClusterSnapshot moment(long committed, Node... inSync) {
    MemberDescription member =
        new MemberDescription(
            "member-1",
            Optional.empty(),
            Optional.empty(),
            "weir-3-StreamThread-1-consumer",
            "/10.0.0.7",
            new MemberAssignment(Set.of(READINGS)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return moment(List.of(member), committed, inSync);
  }

  private static ClusterSnapshot moment(
      List<MemberDescription> members, long committed, Node... inSync) {
    TopicPartitionInfo partition =
        new TopicPartitionInfo(
            READINGS.partition(), FIRST, List.of(FIRST, SECOND), List.of(inSync));
    Offsets offsets =
        new Offsets(
            Map.of(READINGS, 0L),
            Map.of(READINGS, 10L),
            Map.of(READINGS, 10L),
            Map.of(READINGS, committed));
    Program program =
        new Program("weir run", "weir", List.of(READINGS.topic()), Map.of(), List.of());
    Optional<ConsumerGroupDescription> group = Optional.of(group(members));
    return new ClusterSnapshot(
        Map.of(READINGS.topic(), new TopicDescription(READINGS.topic(), false, List.of(partition))),
        Set.of(),
        List.of(
            new ObservedProgram(
                program, ObservedProgram.Sight.SEEN, group, group, offsets, offsets)));
  }

  private static ConsumerGroupDescription group(List<MemberDescription> members) {
    return new ConsumerGroupDescription(
        "weir",
        false,
        members,
        "stream",
        GroupType.CLASSIC,
        members.isEmpty() ? GroupState.EMPTY : GroupState.STABLE,
        FIRST,
        Set.of(),
        Optional.empty(),
        Optional.empty());
  }
}

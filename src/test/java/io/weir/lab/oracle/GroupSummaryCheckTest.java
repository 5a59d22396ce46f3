package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Windows of 10, quiet 5, hold 20, kept for 50; of the group g. */
class GroupSummaryCheckTest {
  private static final String GROUP = "g";
  private static final int PARTITION = SensorPartition.of(GROUP);
  private static final NaiveEventRules RULES =
      new NaiveEventRules(100, 300, 2, 10, 2, 5, 20, 50, NaiveRules.of(60_000), true);

  private final TopicRecords records = new TopicRecords(PARTITION);
  private final PartsCheck parts = new PartsCheck(RULES);
  private final GroupSummaryCheck check =
      new GroupSummaryCheck(TopicNames.ALL, RULES, PARTITION, Long.MAX_VALUE, parts);

  private static WindowSummary summary(String sensor, long count, double sum) {
    return WindowSummary.newBuilder()
        .setSensorId(sensor + "/" + GROUP)
        .setWindowStartMs(10)
        .setWindowEndMs(20)
        .setCount(count)
        .setSum(sum)
        .setMin(1)
        .setMax(sum)
        .build();
  }

  /** A summary, and its part. */
  private void summarised(long appendMs, WindowSummary summary) {
    try {
      parts.summary(records.of(Topic.WINDOWS, appendMs, null, summary));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
    part(appendMs, summary);
  }

  private void part(long appendMs, WindowSummary summary) {
    check.take(records.of(Topic.GROUP_PARTS, appendMs, GROUP, summary));
  }

  private void tick(long appendMs) {
    check.take(records.tick(Topic.GROUP_PARTS, appendMs));
  }

  private void emitted(GroupSummary.Builder summary) {
    check.take(records.of(Topic.GROUPS, 0, GROUP, summary.build()));
  }

  private static GroupSummary.Builder group(int revision, long sensors, long count, double sum) {
    return GroupSummary.newBuilder()
        .setGroup(GROUP)
        .setWindowStartMs(10)
        .setWindowEndMs(20)
        .setRevision(revision)
        .setSensors(sensors)
        .setCount(count)
        .setSum(sum)
        .setMin(1)
        .setMinSensorId("a/g");
  }

  /** Said once in the oracle, once in the application. */
  @Test
  void groupOfASensor_isThatPartOfItsId_orAllOfItWhereThereIsNone() {
    GroupTemplate second = GroupTemplate.parse("{2}");
    for (String id : List.of("a/b", "a/b/c", "a/", "/b", "a//c", "pump", "/")) {
      assertThat(RULES.groupOf(id)).as(id).isEqualTo(second.groupOf(id));
    }
  }

  @Test
  void newerSummary_takesThePlaceOfTheOneBefore() {
    summarised(1_000, summary("b", 2, 9));
    summarised(1_001, summary("a", 1, 1e16));
    summarised(1_004, summary("b", 3, 2));
    assertThat(check.waiting(new Waits()).total()).isEqualTo(1);
    tick(1_009);
    emitted(group(0, 2, 4, 1e16 + 2).setMax(1e16).setMaxSensorId("a/g"));

    assertThat(check.findings().lines()).isEmpty();
    assertThat(parts.findings().lines()).isEmpty();
    assertThat(check.waiting(new Waits()).total()).isZero();
  }

  @Test
  void sum_isExact_withWhatRoundingLeftOut() {
    part(1_000, summary("a", 1, 1e16).toBuilder().addSumRest(1).build());
    part(1_000, summary("b", 1, 1));
    tick(1_005);
    emitted(group(0, 2, 2, 1e16 + 2).setMax(1e16).setMaxSensorId("a/g"));

    assertThat(check.findings().lines()).isEmpty();
  }

  @Test
  void partThatCameTooLate_changesNothing() {
    summarised(1_000, summary("a", 1, 1));
    for (long ms = 1_010; ms <= 1_050; ms += 10) {
      tick(ms);
    }
    summarised(1_050, summary("a", 2, 2));
    tick(1_060);
    emitted(group(0, 1, 1, 1).setMax(1).setMaxSensorId("a/g"));

    assertThat(check.findings().lines()).isEmpty();
    assertThat(check.tooLate()).isEqualTo(1);
  }

  @Test
  void sameNumbers_areNoChange_andANewOneIsTheNextRevision() {
    part(1_000, summary("a", 1, 1));
    tick(1_005);
    part(1_006, summary("a", 1, 1).toBuilder().setRevision(3).build());
    tick(1_011);
    part(1_012, summary("a", 2, 1));
    tick(1_017);
    emitted(group(0, 1, 1, 1).setMax(1).setMaxSensorId("a/g"));
    emitted(group(1, 1, 2, 1).setMax(1).setMaxSensorId("a/g"));

    assertThat(check.findings().lines()).isEmpty();
  }

  @Test
  void summaryOfAGroup_thatIsMissingDoubledOrWrong_isFound() {
    part(1_000, summary("a", 1, 1));
    tick(1_005);
    assertThat(check.findings().lost()).isEqualTo(1);

    emitted(group(0, 1, 1, 1.5).setMax(1).setMaxSensorId("a/g"));
    assertThat(check.findings().wrongRecords()).isEqualTo(1);

    emitted(group(0, 1, 1, 1).setMax(1).setMaxSensorId("a/g"));
    assertThat(check.findings().doubled()).isEqualTo(1);
    assertThat(check.findings().lines()).anyMatch(line -> line.contains("revision 0 after 0"));
  }

  @Test
  void partsThatAreLostDoubledOrChanged_areFound() throws Exception {
    parts.summary(records.of(Topic.WINDOWS, 0, null, summary("a", 1, 1)));
    assertThat(parts.findings().lost()).isEqualTo(1);

    parts.part(summary("a", 1, 2));
    assertThat(parts.findings().wrongRecords()).isEqualTo(1);

    parts.part(summary("a", 1, 1));
    assertThat(parts.findings().doubled()).isEqualTo(1);
  }

  @Test
  void partInAnotherPlaceThanItsGroup_isWrong() {
    check.take(records.of(Topic.GROUP_PARTS, 0, "other", summary("a", 1, 1)));

    assertThat(check.findings().wrongRecords()).isEqualTo(1);
  }
}

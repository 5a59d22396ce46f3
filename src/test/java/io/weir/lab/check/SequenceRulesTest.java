package io.weir.lab.check;

import static io.weir.lab.check.GatewayRecords.BOOT;
import static io.weir.lab.check.GatewayRecords.NOW_MS;
import static io.weir.lab.check.GatewayRecords.batch;
import static io.weir.lab.check.GatewayRecords.reading;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for boot_id and sequence, each kept and broken. */
class SequenceRulesTest {
  private static final long FIVE_MINUTES_MS = 300_000;

  private final GatewayRecords records = new GatewayRecords();

  @Test
  void bootId_zero_breaksItsRule() {
    records.sent(batch(0, 0));
    assertBroken(Rule.BOOT_ID, 0, "a resend would count twice");
  }

  @Test
  void bootId_aheadByFiveMinutes_passes_andByMore_breaksItsRule() {
    records.sent(batch(NOW_MS + FIVE_MINUTES_MS << 20, 1));
    assertThat(records.check().isPassed()).isTrue();
    records.sent(batch(NOW_MS + FIVE_MINUTES_MS + 1 << 20, 1));
    assertBroken(Rule.BOOT_ID, 1, "300 s ahead");
  }

  @Test
  void bootId_beyondALong_isWrittenUnsigned() {
    records.sent(batch(-1, 1));
    assertBroken(Rule.BOOT_ID, 0, "18446744073709551615");
  }

  @Test
  void bootGrows_isNotSeenWithOneStart() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 2));
    assertThat(records.result(Rule.BOOT_GROWS).isSeen()).isFalse();
    assertThat(records.check().isPassed()).isTrue();
  }

  @Test
  void newBatchOfAnOlderBoot_afterALargerOne_breaksBootGrows() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT - 1, 1));
    assertBroken(Rule.BOOT_GROWS, 1, "boot_id " + (BOOT - 1));
  }

  /** What the last start left goes out first, but each partition gets on by itself. */
  @Test
  void olderBoot_inAnotherPartition_orSentAgain_passes() {
    records
        .sent(12, batch(BOOT, 1))
        .sent(12, batch(BOOT + 1, 1))
        .sent(44, batch(BOOT, 1).clearReadings().addReadings(reading().setSensorId("a")))
        .sent(12, batch(BOOT, 1));
    assertThat(records.check().isPassed()).isTrue();
    assertThat(records.result(Rule.BOOT_GROWS).records()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void sequence_outOfRange_breaksItsRule(long sequence) {
    records.sent(batch(BOOT, sequence));
    assertThat(records.result(Rule.SEQUENCE).offenders()).isEqualTo(1);
    assertThat(records.check().isPassed()).isFalse();
  }

  @Test
  void sequences_thatBeginAtZeroOrTwo_haveAGap() {
    records.sent(batch(BOOT, 2)).sent(batch(BOOT, 3));
    assertBroken(Rule.SEQUENCE_GAPS, 0, "sequence 2 is the first, 1 never came");
  }

  @Test
  void skippedSequence_isAGap_atTheRecordAfterIt() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 4)).sent(batch(BOOT, 5));
    assertBroken(Rule.SEQUENCE_GAPS, 1, "sequence 4 follows 1, 2 never came");
    assertThat(records.result(Rule.SEQUENCE_GAPS).records()).isEqualTo(3);
  }

  @Test
  void sequences_ofPartitionsAndBoots_countEachByThemselves() {
    records
        .sent(12, batch(BOOT, 1))
        .sent(44, batch(BOOT, 1).clearReadings().addReadings(reading().setSensorId("a")))
        .sent(12, batch(BOOT, 2))
        .sent(12, batch(BOOT + 1, 1));
    assertThat(records.check().isPassed()).isTrue();
  }

  @Test
  void oneCounterForAllPartitions_isAGap() {
    records
        .sent(12, batch(BOOT, 1))
        .sent(44, batch(BOOT, 2).clearReadings().addReadings(reading().setSensorId("a")));
    assertBroken(Rule.SEQUENCE_GAPS, 0, "1 never came");
    assertThat(records.result(Rule.SEQUENCE_GAPS).first().orElseThrow().partition()).isEqualTo(44);
  }

  @Test
  void olderSequence_forTheFirstTime_breaksOrder_andIsNoGap() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 3)).sent(batch(BOOT, 2));
    assertBroken(Rule.SEQUENCE_ORDER, 2, "sequence 2 came for the first time after 3");
  }

  @Test
  void resend_ofTheSameBytes_passes_andIsNotSeenWithoutOne() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 2));
    assertThat(records.result(Rule.RESEND).isSeen()).isFalse();
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 2));
    assertThat(records.result(Rule.RESEND).records()).isEqualTo(2);
    assertThat(records.check().isPassed()).isTrue();
  }

  @Test
  void resend_withAReadingMore_breaksItsRule() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 1).addReadings(reading().setValue(1)));
    assertBroken(Rule.RESEND, 1, "sequence 1 came with other bytes at offset 0");
  }

  /** The verdict can be asked for at any time: gaps are not counted twice. */
  @Test
  void results_askedForTwice_areTheSame() {
    records.sent(batch(BOOT, 2));
    List<RuleResult> first = records.check().results();
    assertThat(records.check().results()).isEqualTo(first);
  }

  private void assertBroken(Rule rule, long offset, String reason) {
    assertThat(records.check().results())
        .filteredOn(result -> !result.isOk())
        .extracting(RuleResult::rule)
        .containsExactly(rule);
    Offence first = records.result(rule).first().orElseThrow();
    assertThat(first.offset()).isEqualTo(offset);
    assertThat(first.reason()).contains(reason).doesNotContain("\n");
    assertThat(records.check().isPassed()).isFalse();
  }
}

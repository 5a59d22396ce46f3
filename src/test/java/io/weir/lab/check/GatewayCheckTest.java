package io.weir.lab.check;

import static io.weir.lab.check.GatewayRecords.BOOT;
import static io.weir.lab.check.GatewayRecords.NOW_MS;
import static io.weir.lab.check.GatewayRecords.PARTITION;
import static io.weir.lab.check.GatewayRecords.SENSOR;
import static io.weir.lab.check.GatewayRecords.batch;
import static io.weir.lab.check.GatewayRecords.framed;
import static io.weir.lab.check.GatewayRecords.reading;
import static io.weir.lab.check.GatewayRecords.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule with records that keep it, and records that break it alone. */
class GatewayCheckTest {
  private static final byte[] KEY = {'g', 'w', '-', '1'};

  private final GatewayRecords records = new GatewayRecords();

  @Test
  void goodGateway_withTwoStartsAResendAndBothForms_passesEveryRule() {
    Series series =
        Series.newBuilder()
            .setSensorId(SENSOR)
            .setStartTimestampMs(NOW_MS)
            .addAllTimestampDeltaMs(List.of(0L, 10L))
            .addAllValue(List.of(1.0, 2.0))
            .build();
    records
        .sent(batch(BOOT, 1).setOrdered(true))
        .sent(batch(BOOT, 2).clearReadings().addSeries(series))
        .sent(framed(batch(BOOT, 3)))
        .sent(batch(BOOT, 2).clearReadings().addSeries(series))
        .sent(batch(BOOT + 1, 1));

    assertThat(records.check().results())
        .hasSize(Rule.values().length)
        .allMatch(RuleResult::isSeen)
        .allMatch(RuleResult::isOk);
    assertThat(records.check().isPassed()).isTrue();
    assertThat(records.check().records()).isEqualTo(5);
  }

  @Test
  void noRecord_isNotPassed_andNoRuleWasSeen() {
    assertThat(records.check().isPassed()).isFalse();
    assertThat(records.check().results()).noneMatch(RuleResult::isSeen);
  }

  /** The batch of docs/reference/known-answers.md, its partition from the table there. */
  @Test
  void exampleOfThePage_passes() {
    byte[] example =
        ByteString.fromHex(
                "0a0467772d31117b0000103f5506001801221c0a08e6b8a9e5baa62d311080d095ffbc3119"
                    + "0000000000e051402003")
            .toByteArray();
    records.sent(59, KEY, example);
    assertThat(records.check().isPassed()).isTrue();
  }

  @Test
  void attestationWithoutASequence_breaksTheRule() {
    records.sent(batch(0, 0).setOrdered(true));
    assertThat(records.result(Rule.ATTESTED).isOk()).isFalse();
  }

  @Test
  void readingBelowAnEntry_breaksWhatWasSaid_butARepeatDoesNot() {
    Completeness entry =
        Completeness.newBuilder().setSensorId(SENSOR).setThroughMs(NOW_MS + 1).build();
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 2).addComplete(entry)).sent(batch(BOOT, 1));
    assertThat(records.result(Rule.ATTESTED_KEPT).isOk()).isTrue();
    records.sent(batch(BOOT, 3));
    assertThat(records.result(Rule.ATTESTED_KEPT).isOk()).isFalse();
  }

  @Test
  void readingOlderThanTheNewestOfAnOrderedBatch_breaksWhatWasSaid() {
    records.sent(batch(BOOT, 1).setOrdered(true)).sent(batch(BOOT, 2));
    assertThat(records.result(Rule.ATTESTED_KEPT).isOk()).isTrue();
    records.sent(with(reading().setTimestampMs(NOW_MS - 1)).setSequence(3));
    assertThat(records.result(Rule.ATTESTED_KEPT).isOk()).isFalse();
  }

  @Test
  void entryOfAnotherPartition_breaksPartition() {
    Completeness entry = Completeness.newBuilder().setSensorId("a").setThroughMs(NOW_MS).build();
    records.sent(batch(BOOT, 1).clearReadings().addComplete(entry));
    assertThat(records.result(Rule.PARTITION).isOk()).isFalse();
  }

  @Test
  void recordAboveOneMebibyte_breaksSize() {
    ReadingBatch.Builder large = batch(BOOT, 1);
    Reading reading = reading().setSensorId(SENSOR).build();
    while (large.build().getSerializedSize() <= 1 << 20) {
      large.addReadings(reading);
      large.addAllReadings(List.copyOf(large.getReadingsList()));
    }
    records.sent(large);
    assertThat(records.result(Rule.SIZE).isOk()).isFalse();
  }

  @Test
  void bytesThatAreNoBatch_breakDecodable_andNothingElseIsSeenOfThem() {
    records.sent(new byte[] {'{', '}'});
    assertBroken(Rule.DECODABLE, 0, "not a ReadingBatch");
  }

  @Test
  void recordWithoutValue_breaksDecodable() {
    records.sent(PARTITION, KEY, null);
    assertBroken(Rule.DECODABLE, 0, "no value");
  }

  @Test
  void frameOfAnotherMessage_breaksDecodable() {
    byte[] second = framed(batch(BOOT, 1));
    byte[] value = ByteString.fromHex("00000000010202").toByteArray();
    System.arraycopy(value, 0, second, 0, value.length);
    records.sent(second);
    assertBroken(Rule.DECODABLE, 0, "not the first of its file");
  }

  /** boot_id as uint64 instead of fixed64: protobuf passes over it without a word. */
  @Test
  void fieldOfAnotherType_breaksDecodable() {
    records.sent(ByteString.fromHex("0a0467772d31107b1801").toByteArray());
    assertBroken(Rule.DECODABLE, 0, "field 2");
  }

  @Test
  void gatewayId_emptyOrTooLong_breaksItsRule() {
    records.sent(batch(BOOT, 1).setGatewayId(""));
    assertBroken(Rule.GATEWAY_ID, 0, "gateway_id is empty");
    GatewayRecords others = new GatewayRecords();
    others.sent(batch(BOOT, 1).setGatewayId("\u00e4".repeat(128)));
    assertThat(others.check().isPassed()).isTrue();
    others.sent(batch(BOOT, 1).setGatewayId("\u00e4".repeat(129)));
    assertThat(others.result(Rule.GATEWAY_ID).offenders()).isEqualTo(1);
  }

  @Test
  void key_missingOrAnother_breaksItsRule() {
    records.sent(PARTITION, null, batch(BOOT, 1).build().toByteArray());
    records.sent(PARTITION, new byte[] {'x'}, batch(BOOT, 2).build().toByteArray());
    assertBroken(Rule.KEY, 0, "no key");
    assertThat(records.result(Rule.KEY).offenders()).isEqualTo(2);
  }

  @Test
  void batch_ofMoreThanTenThousandReadings_breaksItsRule() {
    ReadingBatch.Builder full = batch(BOOT, 1).clearReadings();
    for (int i = 0; i < 10_000; i++) {
      full.addReadings(reading());
    }
    records.sent(full);
    assertThat(records.check().isPassed()).isTrue();
    records.sent(full.setSequence(2).addReadings(reading()));
    assertBroken(Rule.BATCH_READINGS, 1, "10001 readings");
  }

  @Test
  void sensorId_tooLong_breaksItsRule() {
    records.sent(47, with(reading().setSensorId("0")));
    assertThat(records.check().isPassed()).isTrue();
    records.sent(with(reading().setSensorId("x".repeat(257))));
    assertThat(records.result(Rule.SENSOR_ID).offenders()).isEqualTo(1);
    assertThat(records.result(Rule.SENSOR_ID).first().orElseThrow().reason())
        .contains("257 bytes")
        .hasSizeLessThan(120);
  }

  @Test
  void sensorId_empty_breaksItsRule() {
    records.sent(5, with(reading().setSensorId("")));
    assertBroken(Rule.SENSOR_ID, 0, "empty");
  }

  @Test
  void reading_inAnotherPartition_breaksPartition_withItsOwnNamed() {
    records
        .sent(12, batch(BOOT, 1))
        .sent(12, batch(BOOT, 2).addReadings(reading().setSensorId("a")));
    assertBroken(Rule.PARTITION, 1, "\"a\" belongs to partition 44");
  }

  @Test
  void sensor_ofTwoGateways_breaksItsRule() {
    records.sent(batch(BOOT, 1)).sent(batch(BOOT, 1).setGatewayId("gw-2"));
    assertBroken(Rule.SENSOR_OWNER, 1, "\"gw-1\" before, now from \"gw-2\"");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void value_thatIsNotFinite_breaksItsRule(double value) {
    records.sent(with(reading().setValue(value)));
    assertBroken(Rule.VALUE, 0, "value " + value);
  }

  @Test
  void timestamp_ofOtherUnits_isNamedByItsUnit() {
    assertTimestamp(NOW_MS / 1000, "look like seconds");
    assertTimestamp(NOW_MS * 1000, "look like microseconds");
    assertTimestamp(NOW_MS * 1_000_000, "look like nanoseconds");
  }

  @Test
  void timestamp_notPositive_orAhead_breaksItsRule() {
    assertTimestamp(0, "not above 0");
    assertTimestamp(-1, "not above 0");
    assertTimestamp(NOW_MS + 300_001, "300 s ahead");
    records.sent(with(reading().setTimestampMs(NOW_MS + 300_000)));
    assertThat(records.check().isPassed()).isTrue();
  }

  private static void assertTimestamp(long timestampMs, String reason) {
    GatewayRecords one = new GatewayRecords();
    one.sent(with(reading().setTimestampMs(timestampMs)));
    assertThat(one.result(Rule.TIMESTAMP).first().orElseThrow().reason()).contains(reason);
    assertThat(one.check().isPassed()).isFalse();
  }

  @Test
  void quality_beyondThree_breaksItsRule() {
    records.sent(with(reading().setQualityValue(3)));
    assertThat(records.check().isPassed()).isTrue();
    records.sent(batch(BOOT, 2).addReadings(reading().setQualityValue(192)));
    assertBroken(Rule.QUALITY, 1, "quality 192");
  }

  @Test
  void series_isNotSeenInRowForm_andUnequalColumnsBreakIt() {
    records.sent(batch(BOOT, 1));
    assertThat(records.result(Rule.SERIES).isSeen()).isFalse();
    Series.Builder series = Series.newBuilder().setSensorId(SENSOR).setStartTimestampMs(NOW_MS);
    records.sent(batch(BOOT, 2).addSeries(series.addTimestampDeltaMs(0)));
    assertBroken(Rule.SERIES, 1, "1 deltas, 0 values, 0 qualities");
  }

  @Test
  void series_whoseDeltasOverflow_breaksItsRule() {
    Series.Builder series =
        Series.newBuilder()
            .setSensorId(SENSOR)
            .setStartTimestampMs(NOW_MS)
            .addTimestampDeltaMs(Long.MAX_VALUE)
            .addValue(1);
    records.sent(batch(BOOT, 1).addSeries(series));
    assertBroken(Rule.SERIES, 0, "overflow");
  }

  /** That only this rule is broken, first by that record, for a reason with these words. */
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

package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static io.weir.internal.topology.Batches.sequenced;
import static io.weir.internal.topology.Batches.series;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is rejected of a batch: each time beside a good reading, which counts. */
class RejectedReadingTest extends RejectionFixture {
  @Test
  void sensorIdMissingOrTooLong_isRejectedAlone() {
    weir.send(T, batch(GOOD, reading("", T, 1), reading("x".repeat(257), T, 1)));

    assertThat(rejected(RejectReason.MISSING_SENSOR_ID)).containsExactly(reading("", T, 1));
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().rejected).isEqualTo(2);
  }

  /** A letter for each reading, with the whole key in each, would be a gigabyte. */
  @Test
  void longKey_isCut_andMultipliesNoDeadLetter() {
    Reading[] refused = new Reading[1_000];
    Arrays.fill(refused, reading(A, T, Double.NaN));
    weir.send(T, new byte[2 << 20], batch(refused).toByteArray());

    DeadLetter letter = only(weir.deadLetters());
    assertThat(letter.readings()).isEqualTo(1_000);
    assertThat(letter.key()).hasSize(1024);
    assertThat(letter.header(DeadLetterHeaders.SIZE)).isNull();
  }

  /** Its id would be in each part of the series again. */
  @Test
  void seriesWithALongId_thatFitsNowhere_isOneDeadLetter_andCut() {
    byte[] id = new byte[1_040_000];
    Arrays.fill(id, (byte) 'x');
    Series.Builder series = Series.newBuilder().setSensorIdBytes(ByteString.copyFrom(id));
    for (int reading = 0; reading < 900; reading++) {
      series.addTimestampDeltaMs(1).addValue(1);
    }
    weir.send(T, ReadingBatch.newBuilder().addSeries(series).build());

    DeadLetter letter = only(weir.deadLetters());
    assertThat(letter.reason()).isEqualTo(RejectReason.SENSOR_ID_TOO_LONG);
    assertThat(letter.header(DeadLetterHeaders.SIZE)).isNotNull();
    assertThat(weir.counts().rejected).isEqualTo(900);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void valueThatIsNoNumber_isRejectedAlone(double value) {
    weir.send(T, batch(GOOD, reading(A, -5, value)));

    assertThat(rejected(RejectReason.INVALID_VALUE)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void timestampNotPositive_isRejectedAlone(long timestampMs) {
    weir.send(T, batch(GOOD, reading(A, timestampMs, 1)));

    assertThat(rejected(RejectReason.INVALID_TIMESTAMP)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {T + 300_001, Long.MAX_VALUE})
  void timestampBeyondTheSkew_isRejectedAlone(long timestampMs) {
    weir.send(T, batch(reading(A, T + 300_000, 1), reading(A, timestampMs, 1)));

    assertThat(rejected(RejectReason.FUTURE_TIMESTAMP)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void punctualReadingUnderALeaderWhoseClockIsBehind_counts_alsoAfterARestart() {
    weir.send(T, batch(GOOD));
    weir.send(T - 360_000, batch(reading(A, T + 1, 1)));
    weir.restart();
    weir.send(T - 360_000, batch(reading(A, T + 2, 1), reading(A, T + 300_001, 1)));

    assertThat(rejected(RejectReason.FUTURE_TIMESTAMP)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(3);
  }

  /** Its readings count, by its own clock; those of the others are compared with theirs. */
  @Test
  void leaderThatIsADayAhead_makesNoFutureTimeAcceptable_forOneRecord_andDoesForAMinute() {
    long dayAhead = T + 86_400_000;
    weir.send(T, batch(GOOD));
    weir.send(dayAhead, batch(reading(sensor(1), dayAhead, 1)));
    weir.send(T + 1, batch(reading(A, dayAhead, 1)));
    assertThat(rejected(RejectReason.FUTURE_TIMESTAMP)).hasSize(1);

    weir.send(dayAhead, batch(GOOD));
    weir.restart();
    weir.send(dayAhead + 60_000, batch(GOOD));
    weir.send(T + 2, batch(reading(A, dayAhead, 1)));
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void sensorOfAnotherPartition_isMisrouted() {
    String elsewhere = "temp-0091";
    assertThat(SensorPartition.of(elsewhere)).isNotZero();
    weir.send(T, batch(GOOD, reading(elsewhere, T, 1), reading("", T, 1)));

    assertThat(weir.deadLetters())
        .extracting(DeadLetter::reason)
        .containsExactly(RejectReason.MISSING_SENSOR_ID, RejectReason.MISROUTED);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void seriesWhoseLengthsDisagree_isRejectedUnchanged() {
    Series broken = series(A, T, new long[] {0, 1}, 1, 2, 3);
    Series sound = series(A, T, new long[] {0, 1}, 1, 2);
    weir.send(T, ReadingBatch.newBuilder().addSeries(broken).addSeries(sound).build());

    DeadLetter deadLetter = only(weir.deadLetters());
    assertThat(deadLetter.reason()).isEqualTo(RejectReason.INVALID_TIMESTAMP);
    assertThat(deadLetter.batch().getSeriesList()).containsExactly(broken);
    assertThat(weir.counts().rejected).isEqualTo(3);
    assertThat(weir.counts().aggregated).isEqualTo(2);
  }

  @Test
  void seriesWhoseDeltasOverflow_isRejectedUnchanged() {
    Series broken = series(A, Long.MAX_VALUE, new long[] {0, 1}, 1, 2);
    weir.send(T, ReadingBatch.newBuilder().addSeries(broken).addReadings(GOOD).build());

    assertThat(only(weir.deadLetters()).batch().getSeriesList()).containsExactly(broken);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void rejectedReadings_keepFormKeyAndGateway_butNotTheSequence() {
    Series series = series(A, T, new long[] {0, 10, 10}, 1, Double.NaN, 3);
    ReadingBatch sent = sequenced("gw-1", 5, 3, GOOD).toBuilder().addSeries(series).build();
    weir.send(T, new byte[] {9}, sent.toByteArray());

    DeadLetter deadLetter = only(weir.deadLetters());
    assertThat(deadLetter.key()).containsExactly(9);
    assertThat(deadLetter.header(DeadLetterHeaders.GATEWAY)).isEqualTo("gw-1");
    assertThat(deadLetter.header(DeadLetterHeaders.BOOT_ID)).isEqualTo("5");
    assertThat(deadLetter.header(DeadLetterHeaders.SEQUENCE)).isEqualTo("3");
    assertThat(deadLetter.batch().getGatewayId()).isEqualTo("gw-1");
    assertThat(deadLetter.batch().getBootId()).isZero();
    assertThat(deadLetter.batch().getSequence()).isZero();
    Series rejected = only(deadLetter.batch().getSeriesList());
    assertThat(rejected.getStartTimestampMs() + rejected.getTimestampDeltaMs(0)).isEqualTo(T + 10);
    assertThat(rejected.getValueList()).containsExactly(Double.NaN);
    assertThat(weir.counts().aggregated).isEqualTo(3);
  }

  @Test
  void rejectedReadings_thatFitNoSingleRecord_areSplit() {
    try (WeirDriver small = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 4_000))) {
      Series.Builder series = Series.newBuilder().setSensorId(A);
      for (int i = 0; i < 1_000; i++) {
        series.addTimestampDeltaMs(i).addValue(i);
      }
      series.setStartTimestampMs(T + 400_000);
      ReadingBatch.Builder sent = ReadingBatch.newBuilder().addSeries(series);
      for (int i = 0; i < 500; i++) {
        sent.addReadings(reading(A, T + 400_000, i));
      }
      small.send(T, sent.build());

      List<DeadLetter> deadLetters = small.deadLetters();
      assertThat(deadLetters).hasSizeGreaterThan(5);
      assertThat(deadLetters).allMatch(deadLetter -> deadLetter.value().length < 4_000);
      assertThat(deadLetters.stream().mapToInt(DeadLetter::readings).sum()).isEqualTo(1_500);
    }
  }

  @Test
  void unknownQuality_countsAsUncertain() {
    weir.send(T, batch(GOOD.toBuilder().setQualityValue(77).build()));
    weir.send(T, batch(reading(A, T + 60_000, 1)));

    assertThat(only(weir.windows()).getCount()).isEqualTo(1);
  }

  @Test
  void unknownFields_areKeptInTheDeadLetter() {
    ByteString extra = ByteString.copyFromUtf8("later");
    Reading odd =
        reading(A, 0, 1).toBuilder()
            .setUnknownFields(
                com.google.protobuf.UnknownFieldSet.newBuilder()
                    .addField(
                        99,
                        com.google.protobuf.UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(extra)
                            .build())
                    .build())
            .build();
    weir.send(T, batch(GOOD, odd));

    assertThat(rejected(RejectReason.INVALID_TIMESTAMP)).containsExactly(odd);
  }
}

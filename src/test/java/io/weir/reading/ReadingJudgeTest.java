package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadingJudgeTest {
  private static final long APPEND_MS = 1_000_000;
  private static final int PARTITIONS = 4;
  private static final String HERE = idOfPartition(2);
  private static final String ELSEWHERE = idOfPartition(1);

  private final ReadingJudge judge = new ReadingJudge(2, PARTITIONS, 256, 500);

  private static String idOfPartition(int partition) {
    for (int i = 0; ; i++) {
      if (partitionOf("s" + i) == partition) {
        return "s" + i;
      }
    }
  }

  /** FNV-1a once more, with unbounded numbers. */
  private static int partitionOf(String id) {
    BigInteger hash = BigInteger.valueOf(2166136261L);
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      hash = hash.xor(BigInteger.valueOf(b & 0xff)).multiply(BigInteger.valueOf(16777619));
      hash = hash.mod(BigInteger.ONE.shiftLeft(32));
    }
    return hash.mod(BigInteger.valueOf(PARTITIONS)).intValue();
  }

  private RejectReason reasonOf(String id, long timestampMs, double value) {
    ReadingColumns batch = new Columns().row(id, timestampMs, value).build();
    int rejected = judge.judge(batch, APPEND_MS);
    byte verdict = batch.verdict(0);
    assertThat(rejected).isEqualTo(verdict == Verdict.ACCEPTED ? 0 : 1);
    return verdict == Verdict.ACCEPTED ? null : Verdict.reason(verdict);
  }

  @Test
  void soundReading_isAccepted() {
    assertThat(reasonOf(HERE, 1, -0.0)).isNull();
    assertThat(reasonOf(HERE, APPEND_MS + 500, Double.MAX_VALUE)).isNull();
    assertThat(reasonOf(HERE, APPEND_MS, -Double.MIN_VALUE)).isNull();
  }

  @Test
  void eachReason_whereItFits() {
    assertThat(reasonOf("", 1, 1)).isEqualTo(RejectReason.MISSING_SENSOR_ID);
    assertThat(reasonOf("x".repeat(257), 1, 1)).isEqualTo(RejectReason.SENSOR_ID_TOO_LONG);
    assertThat(reasonOf("λ".repeat(129), 1, 1)).isEqualTo(RejectReason.SENSOR_ID_TOO_LONG);
    assertThat(reasonOf(HERE, 1, Double.NaN)).isEqualTo(RejectReason.INVALID_VALUE);
    assertThat(reasonOf(HERE, 1, Double.NEGATIVE_INFINITY)).isEqualTo(RejectReason.INVALID_VALUE);
    assertThat(reasonOf(HERE, 0, 1)).isEqualTo(RejectReason.INVALID_TIMESTAMP);
    assertThat(reasonOf(HERE, Long.MIN_VALUE, 1)).isEqualTo(RejectReason.INVALID_TIMESTAMP);
    assertThat(reasonOf(HERE, APPEND_MS + 501, 1)).isEqualTo(RejectReason.FUTURE_TIMESTAMP);
    assertThat(reasonOf(HERE, Long.MAX_VALUE, 1)).isEqualTo(RejectReason.FUTURE_TIMESTAMP);
    assertThat(reasonOf(ELSEWHERE, 1, 1)).isEqualTo(RejectReason.MISROUTED);
  }

  @Test
  void severalReasons_theFirstIsNamed() {
    String tooLong = "x".repeat(300);
    assertThat(reasonOf("", 0, Double.NaN)).isEqualTo(RejectReason.MISSING_SENSOR_ID);
    assertThat(reasonOf(tooLong, 0, Double.NaN)).isEqualTo(RejectReason.SENSOR_ID_TOO_LONG);
    assertThat(reasonOf(ELSEWHERE, 0, Double.NaN)).isEqualTo(RejectReason.INVALID_VALUE);
    assertThat(reasonOf(ELSEWHERE, -1, 1)).isEqualTo(RejectReason.INVALID_TIMESTAMP);
    assertThat(reasonOf(ELSEWHERE, Long.MAX_VALUE, 1)).isEqualTo(RejectReason.FUTURE_TIMESTAMP);
  }

  @Test
  void skewThatWouldOverflow_allowsEverything() {
    ReadingColumns batch = new Columns().row(HERE, Long.MAX_VALUE, 1).build();
    assertThat(new ReadingJudge(2, PARTITIONS, 256, Long.MAX_VALUE).judge(batch, APPEND_MS))
        .isZero();
  }

  @Test
  void brokenSeries_allOfItIsRefused_afterItsId() {
    for (String id : new String[] {HERE, ELSEWHERE, ""}) {
      byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
      ReadingColumns batch = new ReadingColumns();
      batch.start(bytes);
      batch.series(0, bytes.length, 3, true);
      assertThat(judge.judge(batch, APPEND_MS)).isEqualTo(3);
      RejectReason expected =
          id.isEmpty() ? RejectReason.MISSING_SENSOR_ID : RejectReason.INVALID_TIMESTAMP;
      for (int i = 0; i < 3; i++) {
        assertThat(Verdict.reason(batch.verdict(i))).isEqualTo(expected);
      }
    }
  }

  @Test
  void badNeighbours_changeNothingForGoodOnes() {
    Seeds.forEach(500, this::assertJudgedOneByOne);
  }

  private void assertJudgedOneByOne(Random random) {
    String[] ids = {HERE, HERE, HERE, ELSEWHERE, "", "x".repeat(257)};
    double[] values = {1, -5, 0, Double.NaN};
    long[] times = {1, APPEND_MS, APPEND_MS + 500, APPEND_MS + 501, 0};
    Columns batch = new Columns();
    RejectReason[] expected = new RejectReason[random.nextInt(30)];
    int rejected = 0;
    for (int i = 0; i < expected.length; i++) {
      String id = ids[random.nextInt(ids.length)];
      double value = values[random.nextInt(values.length)];
      long timestampMs = times[random.nextInt(times.length)];
      batch.row(id, timestampMs, value);
      expected[i] = reasonOf(id, timestampMs, value);
      rejected += expected[i] == null ? 0 : 1;
    }
    ReadingColumns columns = batch.build();
    assertThat(judge.judge(columns, APPEND_MS)).isEqualTo(rejected);
    for (int i = 0; i < expected.length; i++) {
      byte verdict = columns.verdict(i);
      assertThat(verdict == Verdict.ACCEPTED ? null : Verdict.reason(verdict))
          .isEqualTo(expected[i]);
    }
  }
}

package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.IgnoredAttestation;
import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Times are small: windows of 10, grace 5, idle after 30, forgotten after 200. */
class NaivePartitionTest implements Emissions {
  private static final WindowSpec SPEC =
      WindowSpec.of(10, 5, 0, 30, WindowSpec.IdleRule.ENDED, 200);
  private static final int PARTITION = SensorPartition.of("a");

  private NaivePartition naive = partition(SPEC);
  private final List<String> emitted = new ArrayList<>();

  private NaivePartition partition(WindowSpec spec) {
    return new NaivePartition(
        spec, NaiveRules.of(1_000_000), PARTITION, IdleMoment.BY_RECORDS, this);
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public void due(
      NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
    emitted.add(key.startMs() + " " + reason + " " + content.count());
  }

  @Override
  public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
    throw new AssertionError("nothing is left open: " + key);
  }

  @Override
  public void beginsAgain(NaiveWindows.Key key) {
    emitted.add(key.startMs() + " again");
  }

  private NaiveWeir.Fate reading(long appendMs, long timestampMs) {
    return naive.take(
        ReadingBatch.newBuilder()
            .addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(timestampMs))
            .build(),
        appendMs);
  }

  private void tick(long appendMs) {
    naive.take(ReadingBatch.getDefaultInstance(), appendMs);
  }

  private NaiveWeir.Fate complete(long sequence, long throughMs, long... timestampsMs) {
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder().setGatewayId("g").setBootId(1).setSequence(sequence);
    for (long timestampMs : timestampsMs) {
      batch.addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(timestampMs));
    }
    batch.addComplete(Completeness.newBuilder().setSensorId("a").setThroughMs(throughMs));
    return naive.take(batch.build(), 1_000);
  }

  @Test
  void completeWindow_isDueAtOnce_andALaterReadingBreaksIt() {
    complete(1, 1_010, 1_001, 1_011);
    assertThat(emitted).containsExactly("1000 COMPLETE 1");

    NaiveWeir.Fate fate = complete(2, 1_010, 1_002, 1_012);
    assertThat(fate.readings())
        .extracting(NaiveWeir.ReadingFate::broken)
        .containsExactly(true, false);
    assertThat(naive.broken()).isEqualTo(1);
    assertThat(naive.complete()).isEqualTo(1);
    assertThat(emitted).hasSize(1);
  }

  @Test
  void attestationOverAGap_isIgnored() {
    complete(2, 1_010, 1_001);
    assertThat(emitted).isEmpty();
    assertThat(naive.ignored()).containsExactly(Map.entry(IgnoredAttestation.GAP, 1));
    complete(1, 1_009, 1_002);
    complete(3, 1_010);
    assertThat(emitted).containsExactly("1000 COMPLETE 2");
  }

  @Test
  void silentSensor_isEmittedAtTheFirstRecordThatSaysSo() {
    reading(1_000, 1_000);
    tick(1_029);
    assertThat(emitted).isEmpty();

    tick(1_030);
    tick(1_031);

    assertThat(emitted).containsExactly("1000 IDLE 1");
  }

  @Test
  void windowThatIsNotOverByAppendTime_waits() {
    reading(1_000, 1_040);
    tick(1_030);
    tick(1_054);
    assertThat(emitted).isEmpty();

    tick(1_055);

    assertThat(emitted).containsExactly("1040 IDLE 1");
  }

  @Test
  void oneGap_isNobodysSilenceForLongerThanTheIdleTimeout() {
    reading(1_000, 1_000);
    tick(1_000_000);
    assertThat(emitted).containsExactly("1000 IDLE 1");

    NaiveWeir.Fate fate = reading(1_000_001, 1_001);

    assertThat(fate.readings().get(0).late()).as("still remembered").isFalse();
  }

  @Test
  void appendTimeThatGoesBack_isNoTimeAtAll() {
    reading(600_000, 1_000);
    tick(1_000);
    tick(1_020);
    assertThat(emitted).isEmpty();

    tick(1_030);

    assertThat(emitted).containsExactly("1000 IDLE 1");
  }

  @Test
  void ownRecord_isAppliedBeforeSilenceIsJudged() {
    reading(1_000, 1_000);
    reading(1_040, 1_001);

    assertThat(emitted).isEmpty();
  }

  @Test
  void windowEmittedIdle_goesOn_andIsEmittedAtItsClose() {
    reading(1_000, 1_000);
    tick(1_030);
    reading(1_031, 1_001);
    reading(1_032, 1_015);

    assertThat(emitted).containsExactly("1000 IDLE 1", "1000 EVENT_TIME 2");
  }

  @Test
  void windowEmittedIdle_withNothingAdded_isNotEmittedAtItsClose() {
    reading(1_000, 1_000);
    tick(1_030);
    reading(1_031, 1_015);

    assertThat(emitted).containsExactly("1000 IDLE 1");
  }

  @Test
  void forgottenSensor_isEmittedToTheLast_andItsOldWindowsStayClosed() {
    reading(1_000, 900_000);
    for (int i = 1; i <= 6; i++) {
      tick(1_000 + 30 * i);
    }
    assertThat(emitted).isEmpty();

    tick(1_210);

    assertThat(emitted).containsExactly("900000 IDLE 1");
    assertThat(reading(1_211, 900_009).readings().get(0).late()).isTrue();
    assertThat(reading(1_212, 900_010).readings().get(0).late()).isFalse();
  }

  @Test
  void recordThatIsNoBatch_movesTimeToo() {
    reading(1_000, 1_000);
    naive.notABatch(1_030);

    assertThat(emitted).containsExactly("1000 IDLE 1");
  }

  @Test
  void sensorOfWhichNothingIsKnown_beginsItsOldWindowAgain() {
    naive =
        partition(WindowSpec.of(10, 5, 0, 30, WindowSpec.IdleRule.ENDED, 200).withMarkTtlMs(60));
    reading(1_000, 1_000);
    for (int i = 1; i <= 9; i++) {
      tick(1_000 + 30 * i);
    }

    assertThat(reading(1_271, 1_001).readings().get(0).late()).isFalse();
    reading(1_272, 1_015);

    assertThat(emitted).containsExactly("1000 IDLE 1", "1000 again", "1000 EVENT_TIME 1");
    assertThat(naive.windows().replaced()).isEqualTo(1);
  }
}

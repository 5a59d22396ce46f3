package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.window.CloseReason;
import io.weir.lab.oracle.Emissions;
import io.weir.lab.oracle.IdleMoment;
import io.weir.lab.oracle.NaivePartition;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.reading.IgnoredAttestation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FalseAttestationsTest implements Emissions {
  private static final int PARTITION = 7;
  private static final long NOW_MS = 1_700_000_001_000L;

  private final NaivePartition naive =
      new NaivePartition(
          ChaosSettings.longLived(),
          MemorySettings.of(Set.of(FaultKind.HOSTILE)).rules(),
          PARTITION,
          IdleMoment.BY_RECORDS,
          this);
  private final List<String> complete = new ArrayList<>();

  @Test
  void oneRound_reachesEveryCauseToIgnore_andOneWindowIsComplete() {
    long windowSizeMs = ChaosSettings.WINDOW_SIZE.toMillis();
    FalseAttestations round = new FalseAttestations("f", PARTITION, NOW_MS, windowSizeMs);
    for (HostileRound.Attack attack : round.attacks()) {
      NaiveRecord record = NaiveRecord.of(attack.value());
      assertThat(record.refused()).isNull();
      boolean redriven = attack.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null;
      naive.take(record.batch(), NOW_MS, redriven);
    }

    Set<IgnoredAttestation> all = EnumSet.allOf(IgnoredAttestation.class);
    all.remove(IgnoredAttestation.NOT_ITS_SENSOR); // Only a file of gateways makes one.
    assertThat(naive.ignored().keySet()).containsExactlyInAnyOrderElementsOf(all);
    assertThat(complete).as("the promise that is accepted, and broken").hasSize(1);
    assertThat(naive.broken()).isEqualTo(1);
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public void due(
      NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
    if (reason == CloseReason.COMPLETE) {
      complete.add(key.sensorId());
    }
  }

  @Override
  public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
    return false;
  }

  @Override
  public void beginsAgain(NaiveWindows.Key key) {}
}

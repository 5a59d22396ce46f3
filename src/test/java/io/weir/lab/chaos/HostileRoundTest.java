package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.SeededChance;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostileRoundTest {
  private final HostileRound round =
      new HostileRound("hostile", new SeededChance(1), 1_700_000_000_000L, 2_000);

  @Test
  void everyAttack_isReadByTheOracleAsByTheDecoder() {
    BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);
    List<RejectReason> refused = new ArrayList<>();
    for (HostileRound.Attack attack : round.attacks()) {
      NaiveRecord naive = NaiveRecord.of(attack.value());
      try {
        int readings = decoder.decode(attack.value()).readings();
        assertThat(naive.refused()).isNull();
        assertThat(readings).isEqualTo((int) NaiveWeir.readingsOf(naive.batch()));
      } catch (UndecodableException e) {
        assertThat(naive.refused()).isEqualTo(e.reason());
        refused.add(e.reason());
      }
    }

    assertThat(refused)
        .as("too many series; no batch, twice; a forged marker; two large ones")
        .hasSize(6);
  }

  /** A batch that is refused for one cap would hide another from it. */
  @Test
  void oneRound_reachesEveryCap() {
    NaiveWeir naive =
        new NaiveWeir(
            ChaosSettings.longLived(),
            MemorySettings.of(Set.of(FaultKind.HOSTILE)).rules(),
            round.partition());
    Set<RejectReason> met = EnumSet.noneOf(RejectReason.class);
    for (HostileRound.Attack attack : round.attacks()) {
      NaiveRecord record = NaiveRecord.of(attack.value());
      if (record.refused() == null) {
        NaiveWeir.Fate fate = naive.take(record.batch(), 1_700_000_000_000L);
        Stream.concat(
                Stream.of(fate).map(NaiveWeir.Fate::refused),
                fate.readings().stream().map(NaiveWeir.ReadingFate::rejected))
            .filter(Objects::nonNull)
            .forEach(met::add);
      }
    }

    assertThat(met)
        .contains(
            RejectReason.TOO_MANY_GATEWAYS,
            RejectReason.TOO_MANY_SENSORS,
            RejectReason.TOO_MANY_WINDOWS,
            RejectReason.INVALID_SEQUENCE,
            RejectReason.FUTURE_BOOT,
            RejectReason.FENCED,
            RejectReason.STALE_SEQUENCE);
  }

  @Test
  void collidingIds_areManyAndEachAnother() {
    ReadingBatch most =
        round.attacks().stream()
            .map(attack -> NaiveRecord.of(attack.value()).batch())
            .filter(batch -> batch != null && batch.getReadingsCount() == 3_000)
            .findFirst()
            .orElseThrow();

    assertThat(most.getReadingsList().stream().map(row -> row.getSensorId()).distinct())
        .hasSize(3_000);
  }
}

package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.SeededChance;
import io.weir.lab.oracle.NaiveRecord;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoisonRoundTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final Set<RejectReason> OF_SETTINGS =
      EnumSet.of(
          RejectReason.UNKNOWN_RESET,
          RejectReason.UNSIGNED,
          RejectReason.BAD_SIGNATURE,
          RejectReason.EXPIRED_KEY,
          RejectReason.REVOKED,
          RejectReason.NOT_ITS_SENSOR,
          RejectReason.WITHHELD);

  private final PoisonRound round = new PoisonRound("round", new SeededChance(1), NOW_MS);

  @Test
  void oneRound_meetsEveryReasonThatThereIs() {
    Set<RejectReason> met = EnumSet.noneOf(RejectReason.class);
    NaiveWeir naive =
        new NaiveWeir(ChaosSettings.longLived(), NaiveRules.of(60_000), round.partition());
    boolean repeated = false;
    for (byte[] value : round.records()) {
      NaiveRecord record = NaiveRecord.of(value);
      if (record.refused() != null) {
        met.add(record.refused());
        continue;
      }
      NaiveWeir.Fate fate = naive.take(record.batch(), NOW_MS);
      repeated |= fate.repeated();
      if (fate.refused() != null) {
        met.add(fate.refused());
      }
      fate.broken().forEach(series -> met.add(series.rejected()));
      fate.readings().stream()
          .filter(reading -> reading.rejected() != null)
          .forEach(reading -> met.add(reading.rejected()));
    }

    assertThat(met)
        .as(
            "caps apart, which a round does not reach, and what comes of headers, keys and the file of gateways")
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(RejectReason.values())
                .filter(reason -> !reason.name().startsWith("TOO_MANY"))
                .filter(reason -> !OF_SETTINGS.contains(reason))
                .toList());
    assertThat(repeated).isTrue();
  }

  @Test
  void everyRecord_isReadByTheOracleAsByTheDecoder() {
    BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);
    for (byte[] value : round.records()) {
      NaiveRecord naive = NaiveRecord.of(value);
      try {
        assertThat(decoder.decode(value).readings())
            .isEqualTo((int) NaiveWeir.readingsOf(naive.batch()));
      } catch (UndecodableException e) {
        assertThat(naive.refused()).isEqualTo(e.reason());
      }
    }
  }
}

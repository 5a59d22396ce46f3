package io.weir.lab.oracle;

import io.weir.reading.IgnoredAttestation;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which of a batch's attestations count, and how many were ignored, by cause. One thread. */
final class NaiveAttestations {
  private final NaiveWeir judge;
  private final Map<IgnoredAttestation, Integer> ignored = new EnumMap<>(IgnoredAttestation.class);

  NaiveAttestations(NaiveWeir judge) {
    this.judge = judge;
  }

  Map<IgnoredAttestation, Integer> ignored() {
    return ignored;
  }

  /**
   * Up to which time each sensor is complete by a batch.
   *
   * @param taken the readings of the batch that were aggregated
   * @param sensors the known ones, by id
   */
  Map<String, Long> throughMs(
      ReadingBatch batch,
      List<Reading> taken,
      Map<String, NaiveSensor> sensors,
      long latestMs,
      boolean redriven) {
    Map<String, Long> throughMs = new LinkedHashMap<>();
    IgnoredAttestation ofAll = judge.causeToIgnore(batch, redriven);
    for (NaiveWeir.Attested entry : judge.entries(batch, latestMs)) {
      IgnoredAttestation cause = ofAll == null ? entry.ignored() : ofAll;
      if (cause == null && !sensors.containsKey(entry.sensorId())) {
        cause = IgnoredAttestation.UNKNOWN_SENSOR;
      }
      if (cause == null) {
        throughMs.merge(entry.sensorId(), entry.throughMs(), Math::max);
      } else {
        ignored.merge(cause, 1, Integer::sum);
      }
    }
    if (batch.getOrdered() && ofAll != null) {
      ignored.merge(ofAll, 1, Integer::sum);
    } else if (batch.getOrdered()) {
      taken.forEach(row -> throughMs.merge(row.getSensorId(), row.getTimestampMs(), Math::max));
    }
    return throughMs;
  }
}

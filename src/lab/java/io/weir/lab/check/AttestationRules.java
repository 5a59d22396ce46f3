package io.weir.lab.check;

import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The rules for {@code complete} and {@code ordered}: said with a sequence, and kept. Judges a
 * batch once, and keeps a time for each sensor of which something was said. One thread.
 */
final class AttestationRules {
  private final RuleCounts counts;
  private final Map<String, Long> throughMs = new HashMap<>();

  AttestationRules(RuleCounts counts) {
    this.counts = counts;
  }

  /** Judges a batch that came for the first time. */
  void judge(ConsumerRecord<byte[], byte[]> record, ReadingBatch batch) {
    Map<String, Long> newestMs = new HashMap<>();
    Optional<String> broken = Optional.empty();
    for (Reading reading : batch.getReadingsList()) {
      newestMs.merge(reading.getSensorId(), reading.getTimestampMs(), Math::max);
      broken = broken.or(() -> fault(reading.getSensorId(), reading.getTimestampMs()));
    }
    for (Series series : batch.getSeriesList()) {
      long timestampMs = series.getStartTimestampMs();
      for (long delta : series.getTimestampDeltaMsList()) {
        timestampMs += delta;
        long its = timestampMs;
        newestMs.merge(series.getSensorId(), its, Math::max);
        broken = broken.or(() -> fault(series.getSensorId(), its));
      }
    }
    if (!throughMs.isEmpty()) {
      counts.count(Rule.ATTESTED_KEPT, record, broken);
    }
    if (batch.getOrdered() || batch.getCompleteCount() > 0) {
      counts.count(Rule.ATTESTED, record, sequenceFault(batch));
      remember(batch, newestMs);
    }
  }

  private void remember(ReadingBatch batch, Map<String, Long> newestMs) {
    if (batch.getOrdered()) {
      newestMs.forEach((sensor, newest) -> throughMs.merge(sensor, newest, Math::max));
    }
    for (Completeness entry : batch.getCompleteList()) {
      throughMs.merge(entry.getSensorId(), entry.getThroughMs(), Math::max);
    }
  }

  private static Optional<String> sequenceFault(ReadingBatch batch) {
    return batch.getBootId() != 0 && batch.getSequence() != 0
        ? Optional.empty()
        : Optional.of("the batch has no sequence, so nothing of it is accepted");
  }

  private Optional<String> fault(String sensorId, long timestampMs) {
    Long through = throughMs.get(sensorId);
    return through == null || timestampMs >= through
        ? Optional.empty()
        : Optional.of(
            "sensor "
                + Ids.shown(sensorId)
                + " was said to be complete through "
                + through
                + ", then came "
                + timestampMs);
  }
}

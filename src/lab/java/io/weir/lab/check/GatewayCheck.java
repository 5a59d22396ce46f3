package io.weir.lab.check;

import io.weir.internal.window.PartitionTime;
import io.weir.internal.wire.Tick;
import io.weir.reading.Limits;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Holds the records of the readings topic against the rules of docs/gateways.md. The topic must
 * have been empty when the gateways began. The records of a partition must come in their order; how
 * partitions interleave does not matter. Keeps some 100 bytes a record. One thread.
 */
public final class GatewayCheck {
  private final RuleCounts counts = new RuleCounts();
  private final BatchContentRules readings = new BatchContentRules(counts);
  private final SequenceRules sequences = new SequenceRules(counts);
  private final AttestationRules attestations = new AttestationRules(counts);
  private final Map<Integer, PartitionTime> times = new HashMap<>();
  private long records;

  /** Judges a record. The timestamp has to be the append time. */
  public void take(ConsumerRecord<byte[], byte[]> record) {
    PartitionTime time =
        times.computeIfAbsent(record.partition(), partition -> new PartitionTime(0));
    time.observe(record.timestamp());
    if (Tick.is(record.value(), record.headers())) {
      return; // The application wrote it.
    }
    records++;
    counts.count(Rule.SIZE, record, sizeFault(record.value()));
    try {
      ReadingBatch batch = BatchReader.read(record);
      counts.kept(Rule.DECODABLE, 1);
      judge(record, batch, time.latestMs());
    } catch (BatchReader.UnreadableException e) {
      counts.count(Rule.DECODABLE, record, Optional.of(e.getMessage()));
    }
  }

  private void judge(ConsumerRecord<byte[], byte[]> record, ReadingBatch batch, long latestMs) {
    String gatewayId = batch.getGatewayId();
    counts.count(Rule.GATEWAY_ID, record, Ids.fault("gateway_id", gatewayId));
    counts.count(Rule.KEY, record, keyFault(record.key(), gatewayId));
    counts.count(Rule.BATCH_READINGS, record, countFault(readingsOf(batch)));
    readings.judge(record, batch, latestMs);
    if (sequences.judge(record, batch, latestMs)) {
      attestations.judge(record, batch);
    }
  }

  private static Optional<String> sizeFault(byte[] value) {
    return value == null || value.length <= Limits.DEFAULT.maxRecordBytes()
        ? Optional.empty()
        : Optional.of("the value has " + value.length + " bytes");
  }

  private static Optional<String> keyFault(byte[] key, String gatewayId) {
    if (key == null) {
      return Optional.of("the record has no key");
    }
    return Arrays.equals(key, gatewayId.getBytes(StandardCharsets.UTF_8))
        ? Optional.empty()
        : Optional.of(
            "the key is "
                + Ids.shown(new String(key, StandardCharsets.UTF_8))
                + ", gateway_id is "
                + Ids.shown(gatewayId));
  }

  private static Optional<String> countFault(long count) {
    return count <= Limits.DEFAULT.maxBatchReadings()
        ? Optional.empty()
        : Optional.of("the batch has " + count + " readings and entries of complete");
  }

  private static long readingsOf(ReadingBatch batch) {
    long count = (long) batch.getReadingsCount() + batch.getCompleteCount();
    for (Series series : batch.getSeriesList()) {
      count += Math.max(series.getTimestampDeltaMsCount(), series.getValueCount());
    }
    return count;
  }

  /** How many records were judged. */
  public long records() {
    return records;
  }

  /** What became of each rule so far, in the order of the rules. */
  public List<RuleResult> results() {
    RuleCounts sum = counts.copy();
    sequences.addGaps(sum);
    return sum.results();
  }

  /** Whether there was a record, and every record kept every rule. */
  public boolean isPassed() {
    return records > 0 && results().stream().allMatch(RuleResult::isOk);
  }
}

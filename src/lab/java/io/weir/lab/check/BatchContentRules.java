package io.weir.lab.check;

import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The rules for what is inside a batch: sensors, times, values. One thread. */
final class BatchContentRules {
  private static final int HIGHEST_QUALITY = Quality.QUALITY_BAD_VALUE;

  private final RuleCounts counts;
  private final Map<String, String> ownerBySensor = new HashMap<>();

  BatchContentRules(RuleCounts counts) {
    this.counts = counts;
  }

  void judge(ConsumerRecord<byte[], byte[]> record, ReadingBatch batch, long latestMs) {
    if (batch.getReadingsCount() + batch.getSeriesCount() + batch.getCompleteCount() == 0) {
      return;
    }
    Faults faults = new Faults();
    for (Reading reading : batch.getReadingsList()) {
      sensor(faults, record.partition(), batch.getGatewayId(), reading.getSensorId());
      value(faults, reading.getSensorId(), reading.getValue());
      quality(faults, reading.getSensorId(), reading.getQualityValue());
      faults.add(Rule.TIMESTAMP, TimestampRules.fault(reading.getTimestampMs(), latestMs));
    }
    for (Series series : batch.getSeriesList()) {
      sensor(faults, record.partition(), batch.getGatewayId(), series.getSensorId());
      series(faults, series, latestMs);
    }
    for (Completeness entry : batch.getCompleteList()) {
      sensor(faults, record.partition(), batch.getGatewayId(), entry.getSensorId());
      faults.add(Rule.TIMESTAMP, TimestampRules.fault(entry.getThroughMs(), latestMs));
    }
    for (Rule rule :
        new Rule[] {
          Rule.SENSOR_ID,
          Rule.PARTITION,
          Rule.SENSOR_OWNER,
          Rule.VALUE,
          Rule.TIMESTAMP,
          Rule.QUALITY
        }) {
      counts.count(rule, record, faults.first(rule));
    }
    if (batch.getSeriesCount() > 0) {
      counts.count(Rule.SERIES, record, faults.first(Rule.SERIES));
    }
  }

  private void sensor(Faults faults, int partition, String gatewayId, String sensorId) {
    faults.add(Rule.SENSOR_ID, Ids.fault("sensor_id", sensorId));
    int own = SensorPartition.of(sensorId);
    if (own != partition) {
      faults.add(Rule.PARTITION, "sensor " + Ids.shown(sensorId) + " belongs to partition " + own);
    }
    String owner = ownerBySensor.putIfAbsent(sensorId, gatewayId);
    if (owner != null && !owner.equals(gatewayId)) {
      faults.add(
          Rule.SENSOR_OWNER,
          "sensor "
              + Ids.shown(sensorId)
              + " came from gateway "
              + Ids.shown(owner)
              + " before, now from "
              + Ids.shown(gatewayId));
    }
  }

  private static void value(Faults faults, String sensorId, double value) {
    if (!Double.isFinite(value)) {
      faults.add(Rule.VALUE, "value " + value + " of sensor " + Ids.shown(sensorId));
    }
  }

  private static void quality(Faults faults, String sensorId, int quality) {
    if (quality < 0 || quality > HIGHEST_QUALITY) {
      faults.add(Rule.QUALITY, "quality " + quality + " of sensor " + Ids.shown(sensorId));
    }
  }

  private static void series(Faults faults, Series series, long latestMs) {
    String sensorId = series.getSensorId();
    series.getValueList().forEach(value -> value(faults, sensorId, value));
    series.getQualityValueList().forEach(quality -> quality(faults, sensorId, quality));
    int values = series.getValueCount();
    int qualities = series.getQualityCount();
    if (series.getTimestampDeltaMsCount() != values || (qualities != 0 && qualities != values)) {
      faults.add(
          Rule.SERIES,
          "sensor "
              + Ids.shown(sensorId)
              + ": "
              + series.getTimestampDeltaMsCount()
              + " deltas, "
              + values
              + " values, "
              + qualities
              + " qualities");
    }
    long timestampMs = series.getStartTimestampMs();
    for (long delta : series.getTimestampDeltaMsList()) {
      try {
        timestampMs = Math.addExact(timestampMs, delta);
      } catch (ArithmeticException e) {
        faults.add(Rule.SERIES, "sensor " + Ids.shown(sensorId) + ": the deltas overflow");
        return;
      }
      faults.add(Rule.TIMESTAMP, TimestampRules.fault(timestampMs, latestMs));
    }
  }

  /** The first fault of a record for each rule. */
  private static final class Faults {
    private final Map<Rule, String> firstByRule = new HashMap<>();

    void add(Rule rule, String why) {
      firstByRule.putIfAbsent(rule, why);
    }

    void add(Rule rule, Optional<String> why) {
      why.ifPresent(fault -> add(rule, fault));
    }

    Optional<String> first(Rule rule) {
      return Optional.ofNullable(firstByRule.get(rule));
    }
  }
}

package io.weir.internal.ops;

import java.util.List;

/** Topics of other programs as readings: {@code weir import}. */
public enum ImportMetric implements Metric {
  RECORDS(
      "weir.import.records",
      Kind.COUNTER,
      "records",
      List.of("topic", "outcome"),
      "records in committed transactions: mapped, tombstone, empty (no mapped value) or refused"
          + " (has a dead letter)"),
  READINGS(
      "weir.import.readings",
      Kind.COUNTER,
      "readings",
      List.of("outcome"),
      "readings that were written, or refused in a record that could be decoded"),
  LAG(
      "weir.import.lag.records",
      Kind.GAUGE,
      "records",
      List.of("topic", "partition"),
      "records of a partition of this process that are not imported yet"),
  COMMIT(
      "weir.import.commit", Kind.TIMER, "seconds", List.of(), "transactions, from begin to commit"),
  STALLED(
      "weir.import.stalled",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "time since the last commit, or since the import last had no waiting records");

  private final MetricSpec spec;

  ImportMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}

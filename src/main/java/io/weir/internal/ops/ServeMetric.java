package io.weir.internal.ops;

import java.util.List;

/** The page and its API: {@code weir serve}. */
public enum ServeMetric implements Metric {
  REQUESTS(
      "weir.serve.requests",
      Kind.COUNTER,
      "requests",
      List.of("path", "status"),
      "answered requests; path is that of the API, or page"),
  REQUEST(
      "weir.serve.request",
      Kind.TIMER,
      "seconds",
      List.of(),
      "time to answer a request, without streams"),
  MEMORY(
      "weir.serve.memory.bytes",
      Kind.GAUGE,
      "bytes",
      List.of("part"),
      "memory by part, an estimate: sensors, ring (recent windows), refused (with late ones)"),
  HISTORY(
      "weir.serve.history",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "how far back recent windows are held in memory"),
  STREAMS("weir.serve.streams", Kind.GAUGE, "streams", List.of(), "open event streams"),
  SCANNED(
      "weir.serve.scanned.bytes",
      Kind.COUNTER,
      "bytes",
      List.of(),
      "bytes read from the topic for questions about older windows"),
  UNLISTED(
      "weir.serve.unlisted",
      Kind.COUNTER,
      "records",
      List.of(),
      "records of sensors for which weir.serve.memory has no room"),
  LAG(
      "weir.serve.lag.ms",
      Kind.GAUGE,
      "milliseconds",
      List.of(),
      "age of the newest window that was read, while others wait on the topic; 0 if none waits");

  private final MetricSpec spec;

  ServeMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}

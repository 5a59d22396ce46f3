package io.weir.internal.ops;

import java.util.List;
import java.util.stream.Stream;

/**
 * The catalogue of metrics: the single place of their names, kinds, units, labels and meanings,
 * except the names of the publisher's metrics, which it defines itself.
 */
public interface Metric {
  /** The kind of a metric. */
  enum Kind {
    /** Only rises, from 0 at the start of the process. */
    COUNTER,
    /** A current value. */
    GAUGE,
    /** Durations in buckets, with count and sum. */
    HISTOGRAM,
    /** Durations: count, sum, and the recent maximum. */
    TIMER,
    /** Amounts: count, sum, and the recent maximum. */
    SUMMARY,
    /** Always 1: the labels hold the information. */
    INFO
  }

  /** All metrics. */
  static List<Metric> all() {
    return Stream.<Metric[]>of(
            RunMetric.values(),
            StreamsMetric.values(),
            EventMetric.values(),
            PostgresMetric.values(),
            ImportMetric.values(),
            ServeMetric.values(),
            GatewayMetric.values(),
            InputMetric.values())
        .flatMap(Stream::of)
        .toList();
  }

  /** Its specification. */
  MetricSpec spec();

  /** Its name in a meter registry, with dots. */
  default String meterName() {
    return spec().meterName();
  }

  default Kind kind() {
    return spec().kind();
  }

  default String unit() {
    return spec().unit();
  }

  /** Names of its labels. */
  default List<String> labels() {
    return spec().labels();
  }

  /** Its meaning in one line. */
  default String meaning() {
    return spec().meaning();
  }

  /** Whether it is a metric of {@code weir events} and not of {@code weir run}. */
  default boolean isOfEvents() {
    return meterName().startsWith("weir.events.");
  }

  /** Whether it is a metric of a gateway's publisher. */
  default boolean isOfPublisher() {
    return meterName().startsWith("weir.publisher.") || meterName().startsWith("weir.edge.");
  }

  /** Its name at {@code /metrics}; a histogram's parts add _bucket, _count, _sum and _max. */
  default String prometheusName() {
    String name = meterName().replace('.', '_');
    return switch (kind()) {
      case COUNTER -> name + "_total";
      case HISTOGRAM, TIMER -> name + "_seconds";
      case GAUGE -> unit().equals("seconds") ? name + "_seconds" : name;
      case SUMMARY, INFO -> name;
    };
  }
}

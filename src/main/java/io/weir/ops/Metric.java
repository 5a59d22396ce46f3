package io.weir.ops;

import java.util.List;
import java.util.stream.Stream;

/**
 * The catalogue of metrics: each name, kind, unit, label and meaning is in one of its parts and
 * nowhere else, but for the names that the publisher, which knows no application, brings itself.
 */
public interface Metric {
  /** What kind of metric it is. */
  enum Kind {
    /** Only rises, from 0 at the start of the process. */
    COUNTER,
    /** What is now. */
    GAUGE,
    /** Durations in buckets, with count and sum. */
    HISTOGRAM,
    /** Durations: count, sum, and the longest of late. */
    TIMER,
    /** Amounts: count, sum, and the largest of late. */
    SUMMARY,
    /** Always 1: the labels hold the information. */
    INFO
  }

  /** All of it. */
  static List<Metric> all() {
    return Stream.<Metric[]>of(
            RunMetric.values(),
            StreamsMetric.values(),
            EventMetric.values(),
            PostgresMetric.values(),
            ServeMetric.values(),
            GatewayMetric.values())
        .flatMap(Stream::of)
        .toList();
  }

  /** What it is. */
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

  /** One line for a person. */
  default String meaning() {
    return spec().meaning();
  }

  /** Whether {@code weir events} has it, and not {@code weir run}. */
  default boolean isOfEvents() {
    return meterName().startsWith("weir.events.");
  }

  /** Whether a gateway's publisher brings it, and not the application. */
  default boolean isOfPublisher() {
    return meterName().startsWith("weir.publisher.");
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

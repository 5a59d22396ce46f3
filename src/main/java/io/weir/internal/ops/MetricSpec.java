package io.weir.internal.ops;

import java.util.List;

/**
 * The specification of a metric.
 *
 * @param meterName in a meter registry, with dots
 * @param labels their names; values are from a bounded set
 * @param meaning one line of text
 */
public record MetricSpec(
    String meterName, Metric.Kind kind, String unit, List<String> labels, String meaning) {}

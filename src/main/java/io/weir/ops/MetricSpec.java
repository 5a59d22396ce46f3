package io.weir.ops;

import java.util.List;

/**
 * A metric as the catalogue has it.
 *
 * @param meterName in a meter registry, with dots
 * @param labels their names; values are from a bounded set
 * @param meaning one line for a person
 */
public record MetricSpec(
    String meterName, Metric.Kind kind, String unit, List<String> labels, String meaning) {}

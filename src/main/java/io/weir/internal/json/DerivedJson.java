package io.weir.internal.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.summary.Derived;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.util.OptionalDouble;

/**
 * Writes those values derived from a summary into the open JSON object that are no fields of it.
 */
public final class DerivedJson {
  private static final double[] QUANTILES = {0.5, 0.9, 0.95, 0.99};

  private DerivedJson() {}

  public static void write(WindowSummary window, JsonGenerator json) throws IOException {
    if (!window.hasMean()) {
      write("mean", Derived.mean(window), json);
    }
    write("spread", Derived.spread(window), json);
    if (!window.hasStandardDeviation()) {
      write("standard_deviation", Derived.standardDeviation(window), json);
    }
    if (!window.hasTimeWeightedAverage()) {
      write("time_weighted_average", Derived.timeWeightedAverage(window), json);
    }
    for (double q : QUANTILES) {
      write("q" + q, Derived.quantile(window, q), json);
    }
    write("quantile_error", Derived.quantileError(window), json);
  }

  private static void write(String name, OptionalDouble value, JsonGenerator json)
      throws IOException {
    if (value.isPresent()) {
      json.writeFieldName(name);
      MessageJson.writeDouble(value.getAsDouble(), json);
    }
  }
}

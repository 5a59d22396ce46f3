package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Finds limits of a partition that are nearly reached. */
final class LimitsCheck implements Check {
  private static final double NEAR = 0.8;

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    Map<String, Double> used = new TreeMap<>();
    for (Exposition page : cluster.metrics().values()) {
      page.of("weir_cap_used").forEach((cap, share) -> used.merge(cap, share, Math::max));
    }
    List<Finding> findings = new ArrayList<>();
    used.forEach(
        (cap, share) -> {
          if (share > NEAR) {
            findings.add(
                risk(
                    String.format(Locale.ROOT, "%.0f %% of %s is used", 100 * share, cap),
                    "at 100 % readings of new sensors or gateways are refused",
                    "raise the limit (docs/reference/configuration.md) and the memory for it, or stop the"
                        + " gateway that sends unknown ids: weir hot"));
          }
        });
    return findings;
  }
}

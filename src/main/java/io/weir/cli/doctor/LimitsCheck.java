package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Limits of what a partition may hold that are nearly reached. */
final class LimitsCheck implements Check {
  private static final double NEAR = 0.8;

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public List<Finding> look(Examination of) {
    Map<String, Double> used = new TreeMap<>();
    for (Exposition page : of.metrics().values()) {
      page.of("weir_cap_used").forEach((cap, share) -> used.merge(cap, share, Math::max));
    }
    List<Finding> findings = new ArrayList<>();
    used.forEach(
        (cap, share) -> {
          if (share > NEAR) {
            findings.add(
                risk(
                    String.format(Locale.ROOT, "%.0f %% of %s are used", 100 * share, cap),
                    "at 100 % readings of new sensors or gateways are refused",
                    "a higher limit (docs/reference/configuration.md) with the memory for it, or stop the"
                        + " gateway that sends ids that are not yours: weir hot"));
          }
        });
    return findings;
  }
}

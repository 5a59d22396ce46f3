package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The values file of a plan, for the chart. */
public final class PlanValues {
  private static final double MIB = 1 << 20;

  /** So much more than the plan says, so that retention by bytes does not cut that by time. */
  private static final double ROOM = 1.25;

  private PlanValues() {}

  /**
   * YAML.
   *
   * @param settings of Weir that the plan was made for, by property name
   */
  public static List<String> yaml(Plan plan, List<String> settings) {
    PlanInput in = plan.input();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "# weir plan: %s readings of %s sensors",
            PlanUnit.PER_SECOND.write(in.rate()),
            PlanUnit.COUNT.write(in.sensors())));
    lines.add("replicas: " + plan.pods());
    lines.add("config:");
    lines.add("  weir.threads: " + in.threadsPerPod());
    lines.add("  weir.replication.factor: " + in.replicas());
    double readings = plan.readingsBytesPerSecond() * in.retentionMs() / 1000 / Plan.PARTITIONS;
    lines.add(
        "  weir.topic.readings.retention.bytes: "
            + String.format(Locale.ROOT, "%.0f", Math.max(in.retentionBytes(), readings * ROOM)));
    double windows =
        plan.windowsBytesPerSecond() * in.windowsRetentionMs() / 1000 / Plan.PARTITIONS;
    lines.add(
        "  weir.topic.windows.retention.bytes: "
            + String.format(
                Locale.ROOT, "%.0f", Math.max(in.windowsRetentionBytes(), windows * ROOM)));
    settings.forEach(setting -> lines.add("  " + setting));
    lines.add("kafka:");
    lines.add("  num.standby.replicas: " + in.standbys());
    lines.add("  commit.interval.ms: " + Math.round(in.commitMs()));
    lines.add("  consumer.session.timeout.ms: " + Math.round(in.sessionMs()));
    long limitMib = (long) Math.ceil(Math.max(512, plan.limit(plan.pods()) / MIB));
    lines.add("resources:");
    lines.add("  requests:");
    lines.add(
        String.format(
            Locale.ROOT,
            "    cpu: %dm",
            (long) Math.ceil(Math.max(100, plan.processorsPerPod() * Plan.HEADROOM * 1000))));
    lines.add("    memory: " + limitMib + "Mi");
    lines.add("  limits:");
    lines.add("    memory: " + limitMib + "Mi");
    lines.add("autoscaling:");
    lines.add("  minReplicas: " + plan.minReplicas());
    return lines;
  }
}

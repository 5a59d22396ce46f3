package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The values file of a plan for the Helm chart. */
public final class PlanValues {
  private static final double MIB = 1 << 20;

  /** Reserve, so that retention by bytes does not shorten retention by time. */
  private static final double ROOM = 1.25;

  private PlanValues() {}

  /**
   * * The lines of the YAML file.
   *
   * @param settings settings of Weir for the plan, by property name
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
    retention(plan, lines);
    Optional<EdgeCost> edge = EdgeCost.of(plan);
    edge.ifPresent(cost -> inputs(cost, lines));
    lines.add("kafka:");
    lines.add("  num.standby.replicas: " + in.standbys());
    lines.add("  commit.interval.ms: " + Math.round(in.commitMs()));
    lines.add("  consumer.session.timeout.ms: " + Math.round(in.sessionMs()));
    resources(lines, "", plan.processorsPerPod(), plan.limit(plan.pods()));
    lines.add("autoscaling:");
    lines.add("  minReplicas: " + plan.minReplicas());
    plan.events().ifPresent(cost -> events(cost, lines));
    plan.tables().ifPresent(tables -> sink(tables, lines));
    edge.ifPresent(cost -> spool(cost, lines));
    return lines;
  }

  private static void inputs(EdgeCost cost, List<String> lines) {
    String setting = "  weir.%s: %.0f";
    lines.add(String.format(Locale.ROOT, setting, "edge.dedup.bytes", cost.identityBytes()));
    lines.add(String.format(Locale.ROOT, setting, "edge.dedup.disk", Math.ceil(cost.diskBytes())));
    lines.add(String.format(Locale.ROOT, setting, "spool.max.bytes", spoolBytes(cost)));
  }

  /** The lower bound of the setting is 1 MiB. */
  private static double spoolBytes(EdgeCost cost) {
    return Math.ceil(Math.max(MIB, cost.spoolBytes()));
  }

  private static void spool(EdgeCost cost, List<String> lines) {
    lines.add("edge:");
    lines.add("  spool:");
    lines.add("    enabled: true");
    lines.add("    size: " + (long) Math.ceil(spoolBytes(cost) * ROOM / MIB) + "Mi");
  }

  /** Limits in bytes that are sufficient for the retention by time, if the default is not. */
  private static void retention(Plan plan, List<String> lines) {
    for (TopicLoad topic : plan.moreTopics()) {
      double bytes = topic.bytesPerSecond() * topic.retentionMs() / 1000 / Plan.PARTITIONS * ROOM;
      if (bytes > TopicLoad.PARTITION_BYTES) {
        lines.add(
            String.format(
                Locale.ROOT,
                "  weir.topic.%s.retention.bytes: %.0f",
                topic.key().replace('_', '-'),
                bytes));
      }
    }
  }

  private static void events(EventsCost cost, List<String> lines) {
    lines.add("events:");
    lines.add("  enabled: true");
    lines.add("  replicas: " + cost.pods());
    resources(lines, "  ", cost.processors() / cost.pods(), cost.limit());
  }

  private static void sink(TablesCost tables, List<String> lines) {
    lines.add("sink:");
    lines.add("  enabled: true");
    lines.add("  replicas: " + tables.pods());
  }

  private static void resources(
      List<String> lines, String indent, double processors, double limit) {
    long limitMib = (long) Math.ceil(Math.max(512, limit / MIB));
    lines.add(indent + "resources:");
    lines.add(indent + "  requests:");
    lines.add(
        String.format(
            Locale.ROOT,
            "%s    cpu: %dm",
            indent,
            (long) Math.ceil(Math.max(100, processors * Plan.HEADROOM * 1000))));
    lines.add(indent + "    memory: " + limitMib + "Mi");
    lines.add(indent + "  limits:");
    lines.add(indent + "    memory: " + limitMib + "Mi");
  }
}

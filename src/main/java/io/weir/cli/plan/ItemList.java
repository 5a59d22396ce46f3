package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The items of a plan by section, each with its arithmetic. For one use by one thread. */
final class ItemList {
  private final List<PlanItem> items = new ArrayList<>();
  private String section = "";

  void section(String name) {
    section = name;
  }

  void add(String key, String label, double value, PlanUnit unit, String how, Object... numbers) {
    items.add(
        new PlanItem(section, key, label, value, unit, String.format(Locale.ROOT, how, numbers)));
  }

  /** Adds a topic's bytes a second, with the arithmetic, and its bytes at rest. */
  void topic(TopicLoad topic, String how, Object... numbers) {
    add(
        topic.key() + "_bytes_per_second",
        topic.name(),
        topic.bytesPerSecond(),
        PlanUnit.BYTES_PER_SECOND,
        how,
        numbers);
    add(
        topic.key() + "_at_rest_bytes",
        "  at rest",
        topic.atRest(),
        PlanUnit.BYTES,
        "x %s h, at most %d x %s",
        number(topic.retentionMs() / 3_600_000),
        Plan.PARTITIONS,
        PlanUnit.BYTES.write(TopicLoad.PARTITION_BYTES));
    if (topic.hours() < topic.retentionMs() / 3_600_000) {
      add(
          topic.key() + "_retention_hours",
          "  retained for",
          topic.hours(),
          PlanUnit.HOURS,
          "the setting is %s h",
          number(topic.retentionMs() / 3_600_000));
    }
  }

  List<PlanItem> all() {
    return List.copyOf(items);
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
  }
}

package io.weir.topic;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Settings that a broker's policy may refuse. Managed clouds forbid some settings or bound them;
 * Weir does without those that only make it faster or smaller.
 */
final class RefusedSettings {
  /** Without them the log is compacted later: restores read more, and disks hold more. */
  static final Set<String> OPTIMIZATIONS =
      Set.of(
          TopicConfig.SEGMENT_BYTES_CONFIG,
          TopicConfig.SEGMENT_MS_CONFIG,
          TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG);

  /** What it costs, for operators. */
  static final String COST =
      "state takes more disk and is restored later; weir.changelog.* sets what the broker allows";

  /** Clouds that fix it have a safe value; the comparison reports another one. */
  private static final Set<String> FIXED_BY_CLOUDS =
      Set.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);

  private RefusedSettings() {}

  /**
   * The settings to do without next: those that the refusal names, else all optimizations, else the
   * others; empty if the topic cannot be created without a setting that it needs.
   */
  static Set<String> of(TopicSettings plan, String refusal) {
    for (Set<String> kind : List.of(OPTIMIZATIONS, FIXED_BY_CLOUDS)) {
      Set<String> named = planned(plan, kind);
      named.removeIf(name -> !refusal.contains(name));
      if (!named.isEmpty()) {
        return named;
      }
    }
    Set<String> optimizations = planned(plan, OPTIMIZATIONS);
    return optimizations.isEmpty() ? planned(plan, FIXED_BY_CLOUDS) : optimizations;
  }

  private static Set<String> planned(TopicSettings plan, Set<String> names) {
    return names.stream()
        .filter(plan.config()::containsKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The topic without settings. */
  static TopicSettings without(TopicSettings plan, Set<String> settings) {
    TreeMap<String, String> kept = new TreeMap<>(plan.config());
    kept.keySet().removeAll(settings);
    return new TopicSettings(plan.name(), plan.partitions(), plan.replicas(), kept);
  }
}

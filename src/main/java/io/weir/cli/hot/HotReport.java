package io.weir.cli.hot;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.internal.hot.HotMinute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Merges the pages of several processes: each partition is from the process with its newest minute.
 * A sensor is on one partition, so its readings are exact; those of a gateway are summed over the
 * partitions that list it.
 *
 * @param partitions number of partitions with a full minute
 * @param readings readings of all these partitions, aggregated or late
 * @param endMs end of the newest minute, by append time
 * @param sensors the heaviest first
 * @param gateways the heaviest first
 */
public record HotReport(
    int partitions, long readings, long endMs, List<HotRow> sensors, List<HotRow> gateways) {

  /**
   * @param pages /hot of each process
   * @param top maximum number of sensors and gateways
   */
  public static HotReport of(List<JsonNode> pages, int top) {
    Map<Long, JsonNode> partitions = new TreeMap<>();
    for (JsonNode page : pages) {
      for (JsonNode partition : page.path("partitions")) {
        partitions.merge(
            partition.path("partition").asLong(),
            partition,
            (a, b) -> a.path("end_ms").asLong() >= b.path("end_ms").asLong() ? a : b);
      }
    }
    long endMs =
        partitions.values().stream().mapToLong(p -> p.path("end_ms").asLong()).max().orElse(0);
    return new HotReport(
        partitions.size(),
        total("total", partitions),
        endMs,
        rows("sensors", "total", partitions, top),
        rows("gateways", "gateway_total", partitions, top));
  }

  private static long total(String field, Map<Long, JsonNode> partitions) {
    return partitions.values().stream().mapToLong(p -> p.path(field).asLong()).sum();
  }

  private static List<HotRow> rows(
      String what, String totalField, Map<Long, JsonNode> partitions, int top) {
    long total = total(totalField, partitions);
    Map<String, Adding> byId = new HashMap<>();
    long full = 0;
    for (JsonNode partition : partitions.values()) {
      JsonNode heaviest = partition.path(what);
      long counted = 0;
      for (JsonNode heavy : heaviest) {
        long readings = heavy.path("readings").asLong();
        counted += readings;
        byId.computeIfAbsent(heavy.path("id").asText(), Adding::new)
            .add(
                partition.path("partition").asLong(),
                readings,
                partition.path(totalField).asLong());
      }
      boolean cut = counted < partition.path(totalField).asLong();
      full += cut ? 1 : 0;
      if (cut) {
        heaviest.forEach(heavy -> byId.get(heavy.path("id").asText()).cut++);
      }
    }
    boolean onOnePartition = what.equals("sensors");
    List<HotRow> rows = new ArrayList<>();
    for (Adding adding : byId.values()) {
      rows.add(adding.row(total, !onOnePartition && adding.cut < full));
    }
    rows.sort(Comparator.comparingLong(HotRow::readings).reversed().thenComparing(HotRow::id));
    return List.copyOf(rows.subList(0, Math.min(top, rows.size())));
  }

  private static final class Adding {
    private final String id;
    private long partition;
    private long most = -1;
    private long partitionTotal;
    private long readings;

    /** Number of partitions that list it and omit others. */
    private long cut;

    Adding(String id) {
      this.id = id;
    }

    void add(long ofPartition, long count, long total) {
      readings += count;
      if (count > most) {
        most = count;
        partition = ofPartition;
        partitionTotal = total;
      }
    }

    HotRow row(long total, boolean atLeast) {
      return new HotRow(
          id,
          (int) partition,
          readings,
          atLeast,
          HotMinute.share(most, partitionTotal),
          HotMinute.share(readings, total));
    }
  }
}

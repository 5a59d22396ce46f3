package io.weir.cli.hot;

import io.weir.cli.pages.JsonTree;
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
  public static HotReport of(List<JsonTree> pages, int top) {
    Map<Long, JsonTree> partitions = new TreeMap<>();
    for (JsonTree page : pages) {
      for (JsonTree partition : page.at("partitions").elements()) {
        partitions.merge(
            partition.at("partition").integer(),
            partition,
            (a, b) -> a.at("end_ms").integer() >= b.at("end_ms").integer() ? a : b);
      }
    }
    long endMs =
        partitions.values().stream().mapToLong(p -> p.at("end_ms").integer()).max().orElse(0);
    return new HotReport(
        partitions.size(),
        total("total", partitions),
        endMs,
        rows("sensors", "total", partitions, top),
        rows("gateways", "gateway_total", partitions, top));
  }

  private static long total(String field, Map<Long, JsonTree> partitions) {
    return partitions.values().stream().mapToLong(p -> p.at(field).integer()).sum();
  }

  private static List<HotRow> rows(
      String what, String totalField, Map<Long, JsonTree> partitions, int top) {
    long total = total(totalField, partitions);
    Map<String, Adding> byId = new HashMap<>();
    long full = 0;
    for (JsonTree partition : partitions.values()) {
      List<JsonTree> heaviest = partition.at(what).elements();
      long counted = 0;
      for (JsonTree heavy : heaviest) {
        long readings = heavy.at("readings").integer();
        counted += readings;
        byId.computeIfAbsent(heavy.at("id").text(), Adding::new)
            .add(partition.at("partition").integer(), readings, partition.at(totalField).integer());
      }
      boolean cut = counted < partition.at(totalField).integer();
      full += cut ? 1 : 0;
      if (cut) {
        heaviest.forEach(heavy -> byId.get(heavy.at("id").text()).cut++);
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

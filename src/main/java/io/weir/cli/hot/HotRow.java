package io.weir.cli.hot;

/**
 * A sensor or a gateway in the table.
 *
 * @param partition where it gives most
 * @param readings in the minute, of all partitions
 * @param atLeast whether there may be more on partitions where others sent more
 * @param share of that partition's readings, from 0 to 1
 * @param shareOfAll of the readings of all partitions, from 0 to 1
 */
public record HotRow(
    String id, int partition, long readings, boolean atLeast, double share, double shareOfAll) {}

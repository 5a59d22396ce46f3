package io.weir.cli.hot;

/**
 * A sensor or a gateway in the table.
 *
 * @param partition the partition with most of its readings
 * @param readings readings in the minute, on all partitions
 * @param atLeast whether partitions that do not list it may have more
 * @param share share of that partition's readings, from 0 to 1
 * @param shareOfAll share of the readings of all partitions, from 0 to 1
 */
public record HotRow(
    String id, int partition, long readings, boolean atLeast, double share, double shareOfAll) {}

package io.weir.internal.serve.memory;

import io.weir.v1.SensorState;
import java.util.List;
import java.util.Map;

/**
 * The whole at one moment.
 *
 * @param sensors how many are in each state; UNSPECIFIED: without status
 * @param unlisted sensors for which there is no memory
 * @param readings counts of the last 60 seconds, oldest first
 * @param refused dead letters a second by reason
 * @param alarms active ones by priority
 * @param historyFromMs append time from which on recent windows are held; 0 while there are none
 * @param newest some windows that were read last, the last one first
 * @param sizesMs lengths of the windows that were read, ascending
 */
public record Overview(
    Map<SensorState, Integer> sensors,
    long unlisted,
    long[] readings,
    double windows,
    double late,
    Map<String, Double> refused,
    Map<Integer, Integer> alarms,
    long historyFromMs,
    List<Stored> newest,
    List<Long> sizesMs) {}

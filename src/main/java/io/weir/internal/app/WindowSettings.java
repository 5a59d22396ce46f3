package io.weir.internal.app;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import java.time.Duration;

/**
 * The settings of windows and inactivity. Durations in whole milliseconds.
 *
 * @param size length of a window, positive
 * @param grace how far a sensor's event time must pass a window's end before it closes
 * @param allowedLateness how long a closed window accepts readings, in the sensor's event time
 * @param idleTimeout inactivity after which ended windows are emitted, positive
 * @param maxFutureSkew how far a reading's time may be ahead of its append time
 * @param sensorTtl inactivity after which the state of a sensor expires, longer than the others
 * @param markTtl how long the close time of an expired sensor is retained
 * @param statistics additional statistics and their sensors
 * @param rollups lengths of rollups
 * @param hopping settings of hopping windows
 */
public record WindowSettings(
    Duration size,
    Duration grace,
    Duration allowedLateness,
    Duration idleTimeout,
    Duration maxFutureSkew,
    Duration sensorTtl,
    Duration markTtl,
    StatisticsPlan statistics,
    RollupPlan rollups,
    HoppingPlan hopping) {}

package io.weir.app;

import io.weir.window.HoppingPlan;
import io.weir.window.RollupPlan;
import io.weir.window.StatisticsPlan;
import java.time.Duration;

/**
 * What a window means, and how long silence lasts. Durations in whole milliseconds.
 *
 * @param size length of a window, positive
 * @param grace how far a sensor's time runs past a window's end before it closes
 * @param allowedLateness how much longer a closed window takes readings, in the sensor's time
 * @param idleTimeout silence after which windows that have ended are emitted, positive
 * @param maxFutureSkew how far ahead of its append time a reading may be
 * @param sensorTtl silence after which a sensor is forgotten, longer than the others
 * @param markTtl how much longer it is known up to when a forgotten sensor's windows were closed
 * @param statistics what is computed beside count, sum, min and max, of which sensors
 * @param rollups larger spans that windows are put together to
 * @param hopping which sensors have hopping windows
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

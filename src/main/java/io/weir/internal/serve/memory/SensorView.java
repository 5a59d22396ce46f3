package io.weir.internal.serve.memory;

import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.util.Optional;

/**
 * A sensor as it was at one moment.
 *
 * @param newest the newest summary of its base windows; empty where none is held
 * @param newestOffset its offset
 * @param status empty where none is held
 */
public record SensorView(
    String id,
    String group,
    int partition,
    Optional<WindowSummary> newest,
    long newestOffset,
    Optional<SensorStatus> status) {}

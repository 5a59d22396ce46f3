/**
 * The clock for durations ({@link io.weir.internal.time.MonotonicClock}), texts of durations, a
 * limit of log lines, and daemon threads. Uses nothing.
 */
package io.weir.internal.time;

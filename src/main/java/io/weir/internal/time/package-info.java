/**
 * The clock for durations ({@link io.weir.internal.time.MonotonicClock}), texts of durations, and a
 * limit of log lines. Uses nothing.
 */
package io.weir.internal.time;

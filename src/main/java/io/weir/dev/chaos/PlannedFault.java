package io.weir.dev.chaos;

import java.util.Locale;

/**
 * A fault as it is planned.
 *
 * @param target which application, broker or gateway; modulo how many there are
 * @param pauseMs before it, since the lane's last one was over
 * @param holdMs how long it is left so
 * @param amountMs how much: of a delay, or of a clock's error
 */
record PlannedFault(FaultKind kind, int target, long pauseMs, long holdMs, long amountMs) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "after %.1f s %s %d for %.1f s%s",
        pauseMs / 1000.0,
        kind.label(),
        target,
        holdMs / 1000.0,
        amountMs == 0 ? "" : " by " + amountMs + " ms");
  }
}

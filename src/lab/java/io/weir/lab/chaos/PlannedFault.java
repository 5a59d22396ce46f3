package io.weir.lab.chaos;

import java.util.Locale;

/**
 * A fault as it is planned.
 *
 * @param target which application, broker or gateway; modulo how many there are
 * @param pauseMs before it, since the lane's last one was over
 * @param holdMs how long it is left so
 * @param amount how much: milliseconds of a delay, of a clock's error, or until an application is
 *     frozen; mebibytes of a heap; which of all orders
 */
record PlannedFault(FaultKind kind, int target, long pauseMs, long holdMs, long amount) {
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "after %.1f s %s %d for %.1f s%s",
        pauseMs / 1000.0,
        kind.label(),
        target,
        holdMs / 1000.0,
        amount == 0 ? "" : " by " + amount + unit());
  }

  private String unit() {
    return switch (kind) {
      case APP_OOM -> " MiB";
      case REDRIVE -> ", which of all orders";
      default -> " ms";
    };
  }
}

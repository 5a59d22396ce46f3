package io.weir.lab.bench;

import io.weir.lab.GroupLag;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How a fleet went, seen from outside.
 *
 * @param warm the broker at the end of the warm-up
 * @param over the broker when all readings were offered
 * @param mostLag the largest lag of Weir after the warm-up; 0 without Weir
 */
record FleetCourse(BrokerMark warm, BrokerMark over, long mostLag) {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Watches a load until all is offered. */
  static FleetCourse watch(
      FleetLoad load, long warmUpEndMs, Supplier<BrokerMark> mark, Optional<GroupLag> lag) {
    while (System.currentTimeMillis() < warmUpEndMs) {
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(warmUpEndMs - System.currentTimeMillis()));
    }
    BrokerMark warm = mark.get();
    long most = 0;
    while (!load.isOver()) {
      LockSupport.parkNanos(LOOK_NANOS);
      most = Math.max(most, lag.map(GroupLag::records).orElse(0L));
    }
    return new FleetCourse(warm, mark.get(), most);
  }
}

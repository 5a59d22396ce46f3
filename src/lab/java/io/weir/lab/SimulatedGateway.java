package io.weir.lab;

import io.weir.reading.Reading;
import java.util.ArrayDeque;

/**
 * A gateway: what its uplink does not take, or what comes while it is offline, waits here and goes
 * first, in order, when the way is free again. One thread; its backlog may be read by others.
 */
final class SimulatedGateway {
  private record Waiting(Reading reading, FleetLedger.Kind kind) {}

  private final Uplink uplink;
  private final ArrayDeque<Waiting> backlog = new ArrayDeque<>();
  private boolean online = true;
  private volatile int waiting;

  SimulatedGateway(Uplink uplink) {
    this.uplink = uplink;
  }

  /** What a sensor says to its gateway. */
  void hear(Reading reading, FleetLedger.Kind kind) {
    if (backlog.isEmpty() && online && uplink.offer(reading, kind)) {
      return;
    }
    backlog.add(new Waiting(reading, online ? kind : FleetLedger.Kind.BACKLOG));
  }

  void online(boolean isOnline) {
    online = isOnline;
  }

  /** Sends what waits, as far as it goes; returns whether nothing waits any more. */
  boolean drain() {
    while (online && !backlog.isEmpty() && uplink.offer(head().reading(), head().kind())) {
      backlog.remove();
    }
    waiting = backlog.size();
    return backlog.isEmpty();
  }

  private Waiting head() {
    return backlog.element();
  }

  /** Readings that wait, as of the last {@link #drain}. Any thread may ask. */
  int waiting() {
    return waiting;
  }
}

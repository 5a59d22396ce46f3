package io.weir.lab;

import io.weir.reading.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Uplinks that write down what they are given; each can be made to take nothing. */
final class RecordingUplinks implements Uplinks {
  private final Map<GatewayRole, Recording> byRole = new EnumMap<>(GatewayRole.class);

  /** What one gateway sent. */
  static final class Recording implements FaultyUplink {
    final List<Reading> readings = new ArrayList<>();
    final List<FleetLedger.Kind> kinds = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    boolean suspended;

    @Override
    public boolean offer(Reading reading, FleetLedger.Kind kind) {
      if (!suspended) {
        readings.add(reading);
        kinds.add(kind);
      }
      return !suspended;
    }

    @Override
    public void flush() {
      events.add("flush after " + readings.size());
    }

    @Override
    public void resend(int partition) {
      events.add("resend " + partition);
    }

    @Override
    public void poison(int partition, byte[] value) {
      events.add("poison " + partition + " of " + value.length);
    }

    @Override
    public boolean close(Duration timeout) {
      return true;
    }

    long count(FleetLedger.Kind kind) {
      return kinds.stream().filter(kind::equals).count();
    }
  }

  Recording of(GatewayRole role) {
    return byRole.computeIfAbsent(role, r -> new Recording());
  }

  @Override
  public Uplink honest(GatewayRole role) {
    return of(role);
  }

  @Override
  public FaultyUplink faulty(GatewayRole role) {
    return of(role);
  }
}

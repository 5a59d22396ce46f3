package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowSpec;
import java.util.List;

/**
 * Two sensors of one partition, and a specification: windows of 10 s, grace 5 s, idle after 30 s.
 */
abstract class WindowFixture {
  /** An append time; event times are near it. */
  static final long T = 1_700_000_000_000L;

  static final String A = sensor(0);
  static final String B = sensor(1);
  static final WindowSpec SPEC = WeirDriver.SPEC;

  static WindowSpec lateness(long latenessMs) {
    return WindowSpec.of(10_000, 5_000, latenessMs, 30_000, SPEC.idleRule(), 86_400_000);
  }

  static <X> X only(List<X> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }
}

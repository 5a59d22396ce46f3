package io.weir.internal.store;

import io.weir.internal.window.Emissions;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import org.apache.kafka.common.Uuid;

/** A changelog, and states of one partition that are written to it and read back. */
abstract class PartitionStateFixture {
  static final long FOR_EVER_MS = 1L << 50;
  static final GatewayRules GATEWAYS = GatewayRules.of(300_000);
  static final WindowLimits LIMITS = WindowLimits.ofSensors(1_000);

  final Changelog log = new Changelog();
  final Emissions emissions = new Emissions();

  static WindowSpec spec(long sizeMs, long latenessMs) {
    return WindowSpec.of(sizeMs, 0, latenessMs, 30_000, IdleRule.ENDED, FOR_EVER_MS);
  }

  final int apply(PartitionState state, Columns batch) {
    state.observe(100, 7, Uuid.ZERO_UUID);
    return state.windows().apply(batch.build(), 100, emissions);
  }

  /** The key of a record of changes. */
  static byte[] slot(int record) {
    return StateKey.changes(record);
  }

  final PartitionState readBack(WindowSpec spec) {
    PartitionState state = new PartitionState(spec, GATEWAYS, LIMITS);
    log.replay(0, state);
    state.resume();
    return state;
  }
}

package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.wire.Tick;
import java.time.Duration;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** What ticks decide, and when they are asked for. */
class TickMeaningTest extends WindowFixture {
  /** The clock of the application asks; what comes of it is decided by the next record. */
  @Test
  void clockOfTheApplication_runsOn_decidesNothing() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.send(T, batch(reading(A, T, 1)));
      weir.clock(Duration.ofDays(2).toMillis());
      weir.send(T + 29_999, batch(reading(B, T + 29_999, 1)));
      assertThat(weir.windows()).isEmpty();

      weir.tick(T + 30_000);
      assertThat(only(weir.windows()).getSensorId()).isEqualTo(A);
    }
  }

  @Test
  void tick_isNoBatch_andLeavesNoTrace() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.tick(T);

      assertThat(weir.counts().batches).isZero();
      assertThat(weir.deadLetters()).isEmpty();
    }
  }

  /** A header is accepted of an empty record only: what has readings is a batch. */
  @Test
  void batchWithTheHeaderOfATick_isABatch() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      Headers headers = new RecordHeaders();
      Tick.mark(headers);
      weir.send(T, null, batch(reading(A, T, 1)).toByteArray(), headers);

      assertThat(weir.counts().aggregated).isEqualTo(1);
    }
  }

  @Test
  void ticks_areAskedForWhileSomethingWaits_andOnceOnTakingOver() {
    try (WeirDriver weir = new WeirDriver(SPEC)) {
      weir.silenceUntilAsked(29_000);
      assertThat(weir.asked()).isEmpty();
      weir.send(T, batch(reading(A, T, 1)));
      weir.restart();
      assertThat(weir.asked()).isEmpty();
      weir.silenceUntilAsked(1_000);
      assertThat(weir.asked()).containsExactly(0);
    }
  }
}

package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.weir.v1.WindowSummary;

/**
 * Any records, append times, silences and restarts: the topology takes all of them, each record
 * that is no batch comes out as one dead letter, and every reading of the others is counted once.
 */
public final class TopologyFuzz {
  private static final int MOST_STEPS = 30;

  private TopologyFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      long deadLetters = 0;
      for (int i = 0; i < MOST_STEPS && data.remainingBytes() > 0; i++) {
        step(weir, data);
        deadLetters += weir.deadLetters().size();
        weir.windows().forEach(TopologyFuzz::check);
        weir.late();
      }
      Counts counts = weir.counts();
      assertThat(counts.aggregated + counts.late + counts.rejected + counts.duplicate)
          .isEqualTo(counts.readings);
      assertThat(deadLetters).isGreaterThanOrEqualTo(counts.undecodable);
    }
  }

  private static void step(WeirDriver weir, FuzzedDataProvider data) {
    switch (data.consumeInt(0, 9)) {
      case 0 -> weir.restart();
      case 1 -> weir.silence(data.consumeInt(0, 100_000_000));
      case 2 -> weir.clock(data.consumeInt(0, 100_000));
      default -> {
        long appendMs = data.consumeBoolean() ? 1_000_000 : data.consumeLong(0, Long.MAX_VALUE);
        byte[] key = data.consumeBoolean() ? null : data.consumeBytes(8);
        byte[] value = data.consumeBoolean() ? data.consumeRemainingAsBytes() : some(data);
        weir.send(appendMs, key, value);
      }
    }
  }

  private static byte[] some(FuzzedDataProvider data) {
    return data.consumeInt(0, 50) == 0 ? null : data.consumeBytes(data.consumeInt(0, 400));
  }

  private static void check(WindowSummary window) {
    assertThat(window.getSum()).isNotNaN();
    assertThat(window.getCount() + window.getBadCount()).isPositive();
    assertThat(window.getMin()).isLessThanOrEqualTo(window.getMax());
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final long NOW_NANOS = -5;

  @Test
  void pauses_doubleUpToTenSeconds_andBeginAgainAfterAReset() {
    Backoff backoff = Backoff.local();

    assertThat(pausesMs(backoff)).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 6400L);
    backoff.failed(NOW_NANOS);
    assertThat(backoff.remainingNanos(NOW_NANOS)).isEqualTo(Backoff.MAX_NANOS);
    backoff.reset();
    assertThat(pausesMs(backoff)).startsWith(100L, 200L);
  }

  /** Gateways whose brokers went away at one moment. */
  @Test
  void pausesForBrokers_areBetweenHalfAndAll_andDifferFromGatewayToGateway() {
    List<List<Long>> gateways = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      gateways.add(pausesMs(Backoff.jittered()));
    }

    for (List<Long> pauses : gateways) {
      for (int i = 0; i < pauses.size(); i++) {
        assertThat(pauses.get(i)).isBetween(50L << i, 100L << i);
      }
    }
    assertThat(gateways).doesNotHaveDuplicates();
  }

  @Test
  void share_isOfThePause_andLeavesTheNextOneWhole() {
    double[] shares = {0.5, 1, 0.75};
    int[] next = {0};
    DoubleSupplier share = () -> shares[next[0]++ % shares.length];

    assertThat(pausesMs(new Backoff(share))).startsWith(50L, 200L, 300L);
  }

  private static List<Long> pausesMs(Backoff backoff) {
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      backoff.failed(NOW_NANOS);
      pauses.add(TimeUnit.NANOSECONDS.toMillis(backoff.remainingNanos(NOW_NANOS)));
    }
    return pauses;
  }
}

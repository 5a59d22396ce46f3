package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.StreamsApplication.StreamsReadiness;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;

class StreamsReadinessTest {
  private State state = State.CREATED;
  private boolean restoring;
  private Optional<String> blocked = Optional.empty();
  private Optional<String> waits = Optional.empty();
  private long nowMs = 5;

  private final StreamsReadiness readiness =
      new StreamsReadiness(
          () -> state,
          () -> restoring,
          () -> blocked,
          () -> waits,
          Duration.ofSeconds(60),
          () -> nowMs);

  @Test
  void application_thatHasNotRunYet_isNotReady() {
    state = State.REBALANCING;

    assertThat(readiness.isReady()).isFalse();
    assertThat(readiness.describe()).isEqualTo("REBALANCING");
  }

  @Test
  void rebalance_leavesItReadyForAWhile() {
    state = State.RUNNING;
    assertThat(readiness.isReady()).isTrue();

    state = State.REBALANCING;
    nowMs += 60_000;
    assertThat(readiness.isReady()).isTrue();
    nowMs++;
    assertThat(readiness.isReady()).isFalse();

    state = State.RUNNING;
    assertThat(readiness.isReady()).isTrue();
    nowMs += 100_000;
    assertThat(readiness.isReady()).isTrue();
  }

  @Test
  void restoring_isNotReady_howeverShort() {
    state = State.RUNNING;
    assertThat(readiness.isReady()).isTrue();

    state = State.REBALANCING;
    restoring = true;
    assertThat(readiness.isReady()).isFalse();
    assertThat(readiness.describe()).isEqualTo("REBALANCING, restoring");
  }

  /** A registry that answers after seconds takes no pod out; its name is there from the start. */
  @Test
  void wait_isNamed_andIsNoStallYet() {
    state = State.RUNNING;
    waits = Optional.of("records wait for the schema registry since 4 s: no answer");

    assertThat(readiness.isReady()).isTrue();
    assertThat(readiness.describe()).isEqualTo("RUNNING, " + waits.get());
    blocked = Optional.of("nothing committed for 91 s");
    assertThat(readiness.isReady()).isFalse();
    assertThat(readiness.describe())
        .isEqualTo("RUNNING, nothing committed for 91 s, " + waits.get());
  }

  @Test
  void blockedOutput_isNotReady_andSaysWhere() {
    state = State.RUNNING;
    blocked = Optional.of("output blocked: weir.windows-3 at offset 7, see the log");

    assertThat(readiness.isReady()).isFalse();
    assertThat(readiness.describe())
        .isEqualTo("RUNNING, output blocked: weir.windows-3 at offset 7, see the log");

    blocked = Optional.empty();
    assertThat(readiness.isReady()).isTrue();
  }
}

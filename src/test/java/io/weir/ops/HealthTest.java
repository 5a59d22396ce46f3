package io.weir.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;

class HealthTest {
  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private State state = State.CREATED;
  private boolean restoring;
  private Optional<String> blocked = Optional.empty();
  private long nowMs = 5;

  private final Health health =
      new Health(
          () -> state, () -> restoring, () -> blocked, ended, Duration.ofSeconds(60), () -> nowMs);

  @Test
  void application_thatHasNotRunYet_livesButIsNotReady() {
    state = State.REBALANCING;

    assertThat(health.isLive()).isTrue();
    assertThat(health.isReady()).isFalse();
    assertThat(health.describe()).isEqualTo("REBALANCING\n");
  }

  @Test
  void rebalance_leavesItReadyForAWhile() {
    state = State.RUNNING;
    assertThat(health.isReady()).isTrue();

    state = State.REBALANCING;
    nowMs += 60_000;
    assertThat(health.isReady()).isTrue();
    nowMs++;
    assertThat(health.isReady()).isFalse();
    assertThat(health.isLive()).isTrue();

    state = State.RUNNING;
    assertThat(health.isReady()).isTrue();
    nowMs += 100_000;
    assertThat(health.isReady()).isTrue();
  }

  @Test
  void restoring_isNotReady_howeverShort() {
    state = State.RUNNING;
    assertThat(health.isReady()).isTrue();

    state = State.REBALANCING;
    restoring = true;
    assertThat(health.isReady()).isFalse();
    assertThat(health.describe()).isEqualTo("REBALANCING, restoring\n");
  }

  @Test
  void blockedOutput_isNotReady_andSaysWhere() {
    state = State.RUNNING;
    blocked = Optional.of("output blocked: weir.windows-3 at offset 7, see the log");

    assertThat(health.isReady()).isFalse();
    assertThat(health.isLive()).isTrue();
    assertThat(health.describe())
        .isEqualTo("RUNNING, output blocked: weir.windows-3 at offset 7, see the log\n");

    blocked = Optional.empty();
    assertThat(health.isReady()).isTrue();
  }

  @Test
  void applicationThatMustEnd_neitherLivesNorIsReady_andSaysWhy() {
    state = State.RUNNING;
    ended.complete(Optional.of("state was lost"));

    assertThat(health.isLive()).isFalse();
    assertThat(health.isReady()).isFalse();
    assertThat(health.describe()).isEqualTo("RUNNING: state was lost\n");
  }

  @Test
  void applicationThatWasAskedToStop_livesUntilItHas() {
    state = State.PENDING_SHUTDOWN;
    assertThat(health.isReady()).isFalse();
    assertThat(health.isLive()).isTrue();

    state = State.NOT_RUNNING;
    ended.complete(Optional.empty());
    assertThat(health.isLive()).isTrue();
    assertThat(health.isReady()).isFalse();
  }
}

package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.registry.RegistryException.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitLimitTest {
  private long nowMs = 7_000;
  private final List<String> said = new ArrayList<>();
  private final WaitLimit limit = new WaitLimit(60_000, () -> nowMs, this::pause);

  private void pause(long ms) {
    nowMs += ms;
    said.add(limit.describe().orElse("") + " " + limit.waitedMs());
  }

  @Test
  void outage_isNamedWithItsLengthAndCause_untilTheAnswer() throws Exception {
    assertThat(limit.describe()).isEmpty();
    List<String> answers = new ArrayList<>();

    limit.await(
        () -> {
          if (said.size() < 3) {
            throw unavailable();
          }
          return answers.add("answer");
        });

    assertThat(answers).hasSize(1);
    assertThat(said)
        .containsExactly(
            "records wait for the schema registry since 1 s: connection refused 1000",
            "records wait for the schema registry since 2 s: connection refused 2000",
            "records wait for the schema registry since 3 s: connection refused 3000");
    assertThat(limit.describe()).isEmpty();
    assertThat(limit.waitedMs()).isZero();
  }

  @Test
  void waitThatWasGivenUp_isOver() {
    assertThatThrownBy(
            () ->
                limit.await(
                    () -> {
                      throw unavailable();
                    }))
        .isInstanceOf(RegistryException.class);
    assertThat(limit.waitedMs()).isZero();
  }

  private static RegistryException unavailable() {
    return new RegistryException(Kind.UNAVAILABLE, "connection refused", null);
  }
}

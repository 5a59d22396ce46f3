package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StartRetryTest {
  private final List<String> waits = new ArrayList<>();
  private long nowMs;
  private int attempts;
  private final StartRetry start =
      new StartRetry(Duration.ofSeconds(60), () -> nowMs, ms -> nowMs += ms);

  @Test
  void kafkaThatIsAway_isWaitedFor_andSaidToBe() {
    String started =
        start.start(
            () -> {
              if (++attempts < 4) {
                throw new KafkaAwayException("no answer " + attempts);
              }
              return "started";
            },
            waits::add,
            what -> {});

    assertThat(started).isEqualTo("started");
    assertThat(waits).containsExactly("no answer 1", "no answer 2", "no answer 3");
  }

  @Test
  void kafkaThatIsAwayForLong_isLoggedOnceAMinute() {
    StartRetry patient = new StartRetry(Duration.ofMinutes(10), () -> nowMs, ms -> nowMs += ms);
    List<Long> loggedMs = new ArrayList<>();

    patient.start(
        () -> {
          nowMs += 20_000;
          if (++attempts < 10) {
            throw new KafkaAwayException("no answer");
          }
          return "started";
        },
        waits::add,
        what -> loggedMs.add(nowMs));

    assertThat(waits).hasSize(9);
    assertThat(loggedMs).containsExactly(20_000L, 86_000L, 152_000L);
  }

  @Test
  void kafkaThatStaysAway_endsTheStart_whenTimeoutIsOver() {
    Supplier<String> noAnswer =
        () -> {
          nowMs += 20_000;
          throw new KafkaAwayException("no answer");
        };

    assertThatThrownBy(() -> start.start(noAnswer, waits::add, what -> {}))
        .isInstanceOf(KafkaAwayException.class)
        .hasMessage("no answer");
    assertThat(nowMs).isBetween(40_000L, 80_000L);
  }

  @Test
  void whatTimeWouldNotHeal_endsTheStartAtOnce() {
    Supplier<String> refused =
        () -> {
          attempts++;
          throw new StartRefusedException("no such topic");
        };

    assertThatThrownBy(() -> start.start(refused, waits::add, what -> {}))
        .hasMessage("no such topic");
    assertThat(attempts).isEqualTo(1);
    assertThat(waits).isEmpty();
  }
}

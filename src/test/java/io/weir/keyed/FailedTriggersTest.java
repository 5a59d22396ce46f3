package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.ops.EventMetric;
import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What led to a call that fails is not lost: timers and ends come again. */
class FailedTriggersTest extends HandlerFixture {
  /** Counts events, and emits how many when the key ends; a timer keeps it going. */
  private final class Program implements KeyHandler {
    @Override
    public void start(KeyContext key) {
      key.setState(Serdes.Long(), 0L);
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      switch (event.getType()) {
        case "poll" -> poll(key);
        case "begin" -> schedule(key);
        case "cancel" -> key.cancel("poll");
        default -> key.setState(Serdes.Long(), key.state(Serdes.Long()) + 1);
      }
      return event.getType().equals("done") ? Outcome.DONE : Outcome.CONTINUE;
    }

    private void poll(KeyContext key) {
      polls.add(key.now().toEpochMilli());
      schedule(key);
      failIfTold();
    }

    private void schedule(KeyContext key) {
      key.schedule("poll", Duration.ofSeconds(10), Event.newBuilder().setType("poll").build());
    }

    @Override
    public void end(KeyContext key, EndReason reason) {
      key.emit(OUT, key.key(), reason + " " + key.state(Serdes.Long()));
      failIfTold();
    }
  }

  private final List<Long> polls = new ArrayList<>();
  private int failuresToCome;

  private void failIfTold() {
    if (failuresToCome-- > 0) {
      throw new IllegalStateException("connection reset");
    }
  }

  @BeforeEach
  void openProgram() {
    driver = new KeyedDriver(Options.DEFAULT.idleMs(60_000), Program::new);
  }

  private List<String> deadLetters() {
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters)
        .allSatisfy(
            deadLetter -> {
              assertThat(deadLetter.event().getKey()).isEqualTo(KEY);
              assertThat(deadLetter.message()).contains(KEY, "connection reset");
            });
    return deadLetters.stream()
        .map(deadLetter -> deadLetter.reason() + " " + deadLetter.event().getType())
        .toList();
  }

  @Test
  void timerThatFails_comesAgain_soThatAChainGoesOn() {
    driver.send(event("begin"));
    failuresToCome = 1;
    driver.silence(60_000);
    assertThat(polls).hasSizeGreaterThan(5);
    assertThat(polls.get(1) - polls.get(0)).isBetween(1_000L, 2_000L);
    assertThat(polls.get(2) - polls.get(1)).isBetween(10_000L, 11_000L);
    assertThat(deadLetters()).containsExactly("HANDLER_RETRY poll");
  }

  @Test
  void timerThatFailsAgainAndAgain_comesMoreAndMoreSeldom_alsoAfterARestart() {
    driver.send(event("begin"));
    failuresToCome = 14;
    driver.silence(100_000);
    assertThat(polls).hasSize(7);
    driver.restart(0);
    driver.silence(3_600_000);
    long waitMs = KeyLifecycle.FIRST_RETRY_MS;
    for (int i = 1; i <= 14; i++) {
      assertThat(polls.get(i) - polls.get(i - 1)).isBetween(waitMs, waitMs + 1_000);
      waitMs = Math.min(2 * waitMs, KeyLifecycle.LONGEST_RETRY_MS);
    }
    assertThat(polls.get(15) - polls.get(14)).isBetween(10_000L, 11_000L);
  }

  @Test
  void timerThatFailed_canBeReplacedAndCancelled() {
    driver.send(event("begin"));
    failuresToCome = 1;
    driver.silence(10_500);
    assertThat(polls).hasSize(1);
    driver.send(event("begin"));
    driver.silence(9_000);
    assertThat(polls).hasSize(1);
    driver.silence(2_000);
    assertThat(polls).hasSize(2);
    failuresToCome = 1;
    driver.silence(9_200);
    assertThat(polls).hasSize(3);
    driver.send(event("cancel"));
    driver.silence(20_000);
    assertThat(polls).hasSize(3);
    assertThat(driver.metric(EventMetric.HANDLER_TIMERS_WAITING)).isZero();
  }

  @Test
  void idleEndThatFails_keepsItsKey_andComesAgain() {
    driver.send(event("a"), event("b"));
    failuresToCome = 2;
    driver.silence(100_000);
    assertThat(deadLetters()).containsExactly("HANDLER_RETRY weir.end");
    driver.restart(0);
    driver.silence(200_000);
    assertThat(driver.out()).extracting(Out::value).containsExactly("IDLE 2");
    assertThat(deadLetters()).containsExactly("HANDLER_RETRY weir.end");
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isZero();
  }

  @Test
  void eventWhoseEndFails_isUndone_andCanBeSentAgain() {
    driver.send(event("a"));
    failuresToCome = 1;
    driver.send(event("done"), event("b"));
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters).extracting(DeadLetter::reason).containsExactly("HANDLER");
    assertThat(deadLetters.get(0).message()).contains("the handler's end of key " + KEY);
    assertThat(driver.out()).isEmpty();
    driver.send(deadLetters.get(0).event());
    assertThat(driver.out()).extracting(Out::value).containsExactly("DONE 3");
  }
}

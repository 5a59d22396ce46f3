package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that the state holds meet a record that has nothing to do with them. */
class HeldEventsTest {
  private static final String OTHER = KeyedDriver.keys(2).get(1);

  private KeyedDriver driver;

  @AfterEach
  void close() {
    driver.close();
  }

  /** Fails at what is scheduled and at "bad"; "timers" schedules more than a record handles. */
  private static final class Program implements KeyHandler {
    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      switch (event.getType()) {
        case "fail later" ->
            key.schedule(
                "x", Duration.ofSeconds(1), Event.newBuilder().setType("timer failed").build());
        case "timer failed", "bad" -> throw new IllegalArgumentException(event.getType());
        case "timers", "again" -> again(key, event);
        default -> {}
      }
      return Outcome.CONTINUE;
    }

    private static void again(KeyContext key, Event event) {
      Event next = Event.newBuilder().setType("again").build();
      if (event.getType().equals("again")) {
        key.schedule(event.getId(), Duration.ofMillis(1), next);
        return;
      }
      for (int i = 0; i < 3 * KeyedProcessor.DUE_SLICE; i++) {
        key.schedule("" + i, Duration.ofMillis(1), next);
      }
    }

    @Override
    public void end(KeyContext key, EndReason reason) {
      key.emit(OUT, key.key(), reason.name());
    }
  }

  private Event event(String key, String type) {
    return Event.newBuilder().setKey(key).setType(type).setTimestampMs(driver.nowMs()).build();
  }

  @Test
  void timerThatFails_isNotOfTheRedriveAtHand() {
    driver = new KeyedDriver(Options.DEFAULT, Program::new);
    driver.send(event(KEY, "fail later"));
    driver.pass(2_000);
    driver.redrive(event(OTHER, "bad"));
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters)
        .extracting(l -> l.event().getType())
        .containsExactly("timer failed", "bad");
    assertThat(deadLetters).extracting(DeadLetter::redriven).containsExactly(false, true);
  }

  @Test
  void eventThatWasNotStarted_isNotOfTheRedriveAtHand() {
    driver =
        new KeyedDriver(Options.DEFAULT.startOn(StartOn.START_EVENT).idleMs(1_000), Program::new);
    driver.send(event(KEY, "waits"));
    for (int i = 0; i < 5; i++) {
      driver.pass(500);
      driver.redrive(event(OTHER, "also waits"));
    }
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters).extracting(DeadLetter::reason).containsExactly("NOT_STARTED");
    assertThat(deadLetters).extracting(DeadLetter::redriven).containsExactly(false);
  }

  @Test
  void keyEndsInTime_thoughEachRecordBringsMoreTimersThanItHandles() {
    driver = new KeyedDriver(Options.DEFAULT.idleMs(1_000), Program::new);
    driver.send(event(KEY, "quiet"));
    driver.send(event(OTHER, "timers"));
    for (int i = 0; i < 5; i++) {
      driver.pass(500);
      driver.send(event(OTHER, "other"));
    }
    assertThat(driver.out()).extracting(Out::key).containsExactly(KEY);
  }
}

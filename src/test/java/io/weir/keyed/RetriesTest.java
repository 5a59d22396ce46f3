package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events whose calls fail are handled again, in the order of their key. */
class RetriesTest extends HandlerFixture {
  private static final Retries FIVE = new Retries(5, 1_000, 60_000);

  /** How often the call of an event of a type fails. */
  private final Map<String, Integer> failures = new HashMap<>();

  private final List<Long> triedMs = new ArrayList<>();

  private void fail(String type) {
    if (failures.merge(type, -1, Integer::sum) >= 0) {
      triedMs.add(driver.nowMs());
      throw new IllegalStateException("no connection to the bank");
    }
  }

  private void open(Options options) {
    open(
        options.retries(FIVE),
        (key, event) -> {
          key.emit(OUT, key.key(), event.getType());
          if (event.getType().equals("timed")) {
            key.schedule("t", Duration.ofMillis(1), Event.newBuilder().setType("due").build());
          }
          fail(event.getType());
          return Outcome.CONTINUE;
        });
  }

  private static Event of(String key, Event event) {
    return event.toBuilder().setKey(key).build();
  }

  private List<String> out() {
    return driver.out().stream().map(Out::value).toList();
  }

  private List<String> deadLetters() {
    return driver.deadLetters().stream()
        .map(letter -> letter.reason() + " " + letter.event().getType())
        .toList();
  }

  @Test
  void eventThatFails_isHandledAgain_itsKeyWaits_andOthersGoOn() {
    open(Options.DEFAULT);
    failures.put("b", 3);
    String other = KeyedDriver.keys(2).get(1);
    driver.send(event("a"), event("b"), event("c"), of(other, event("x")));
    driver.send(event("d"), of(other, event("y")));
    assertThat(out()).containsExactly("a", "x", "y");
    driver.silence(20_000);
    driver.send(event("e"));
    assertThat(out()).containsExactly("b", "c", "d", "e");
    assertThat(deadLetters()).isEmpty();
    assertThat(triedMs.get(1) - triedMs.get(0)).isBetween(500L, 1_600L);
    assertThat(triedMs.get(2) - triedMs.get(1)).isBetween(1_000L, 2_600L);
  }

  @Test
  void afterTheLastAttempt_theEventIsADeadLetter_withItsCause() {
    open(Options.DEFAULT);
    failures.put("b", 100);
    driver.send(event("a"), event("b"), event("c"));
    driver.silence(60_000);
    assertThat(out()).containsExactly("a", "c");
    List<DeadLetter> letters = driver.deadLetters();
    assertThat(letters).hasSize(1);
    assertThat(letters.get(0).reason()).isEqualTo("HANDLER");
    assertThat(letters.get(0).event().getType()).isEqualTo("b");
    assertThat(letters.get(0).message()).contains(KEY, "no connection to the bank");
    assertThat(triedMs).hasSize(5);
  }

  @Test
  void retries_goOnAfterARestart() {
    open(Options.DEFAULT);
    failures.put("b", 2);
    driver.send(event("a"), event("b"), event("c"));
    assertThat(out()).containsExactly("a");
    driver.restart(0);
    driver.silence(31_000); // The driver reads the state back once the task has begun.
    driver.send(event("d"));
    driver.silence(10_000);
    assertThat(out()).containsExactly("b", "c", "d");
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void timersOfTheKey_waitToo() {
    open(Options.DEFAULT);
    failures.put("b", 3);
    driver.send(event("timed"), event("b"), event("c"));
    driver.silence(20_000);
    assertThat(out()).containsExactly("timed", "b", "c", "due");
  }

  @Test
  void moreThanMayWait_theOldestIsADeadLetter() {
    KeyedLimits three = new KeyedLimits(1_000, 3, 64 << 20, 256 << 20);
    open(Options.DEFAULT.limits(three));
    failures.put("b", 1);
    driver.send(event("b"), event("c"), event("d"), event("e"), event("f"), event("g"));
    assertThat(deadLetters()).containsExactly("TOO_MANY_WAITING c", "TOO_MANY_WAITING d");
    driver.silence(5_000);
    assertThat(out()).containsExactly("b", "e", "f", "g");
  }

  @Test
  void startThatFails_isRetriedWithItsEvent() {
    driver =
        new KeyedDriver(
            Options.DEFAULT.retries(FIVE).startOn(StartOn.START_EVENT),
            () ->
                new KeyHandler() {
                  @Override
                  public void start(KeyContext key) {
                    fail("start");
                    key.emit(OUT, key.key(), "start");
                  }

                  @Override
                  public Outcome event(KeyContext key, Event event) {
                    key.emit(OUT, key.key(), event.getType());
                    return Outcome.CONTINUE;
                  }
                });
    failures.put("start", 2);
    driver.send(event("a").toBuilder().setStart(true).build(), event("b"));
    assertThat(out()).isEmpty();
    driver.silence(10_000);
    assertThat(out()).containsExactly("start", "a", "b");
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void startThatAlwaysFails_leavesTheNextStart() {
    driver =
        new KeyedDriver(
            Options.DEFAULT.retries(FIVE),
            () ->
                new KeyHandler() {
                  @Override
                  public void start(KeyContext key) {
                    fail("start");
                  }

                  @Override
                  public Outcome event(KeyContext key, Event event) {
                    key.emit(OUT, key.key(), event.getType());
                    return Outcome.CONTINUE;
                  }
                });
    failures.put("start", 5);
    driver.send(event("a"), event("b"));
    driver.silence(60_000);
    assertThat(out()).containsExactly("b");
    assertThat(deadLetters()).containsExactly("HANDLER a");
  }

  @Test
  void delays_doubleUpToTheLongest_andDifferByKey() {
    for (int failures = 1; failures < 40; failures++) {
      long most = failures > 6 ? 60_000 : Math.min(60_000, 1_000L << (failures - 1));
      assertThat(FIVE.delayMs(failures, KEY, 7)).isBetween(most / 2, most);
    }
    assertThat(KeyedDriver.keys(100).stream().map(key -> FIVE.delayMs(5, key, 7)).distinct())
        .hasSizeGreaterThan(50);
    assertThatThrownBy(() -> new Retries(0, 1, 2)).hasMessage("attempts 0: expected: 1 to 1000");
  }
}

package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events have a name that stays the same at each attempt. */
class OriginTest extends HandlerFixture {
  @Test
  void eventsOfABatch_haveDifferentNames_andATimerHasNone() {
    open(
        (key, event) -> {
          key.emit(OUT, key.key(), "" + key.origin());
          if (event.getType().equals("a")) {
            key.schedule("t", Duration.ofSeconds(1));
          }
        });
    driver.send(event("x"));
    driver.send(event("a"), event("b"));
    driver.silence(1_500);
    assertThat(driver.out())
        .extracting(Out::value)
        .containsExactly("weir.events-0-0-0", "weir.events-0-1-0", "weir.events-0-1-1", "null");
  }

  @Test
  void eventThatIsRetried_andThoseThatWait_keepTheirNames_alsoAfterARestart() {
    List<String> calls = new ArrayList<>();
    List<Event> seen = new ArrayList<>();
    open(
        Options.DEFAULT.retries(new Retries(3, 1_000, 1_000)).idleMs(60_000),
        (key, event) -> {
          calls.add(event.getType() + " " + key.origin());
          seen.add(event);
          if (event.getType().equals("fail")) {
            throw new IllegalStateException("no");
          }
          return Outcome.CONTINUE;
        });
    Event fails = event("fail");
    Event waits = event("wait");
    driver.send(fails, waits);
    driver.silence(1_100);
    driver.restart(100);
    driver.silence(31_000); // The driver reads the state back once the task has begun.
    assertThat(calls)
        .containsExactly(
            "fail weir.events-0-0-0",
            "fail weir.events-0-0-0",
            "fail weir.events-0-0-0",
            "wait weir.events-0-0-1");
    assertThat(seen).containsExactly(fails, fails, fails, waits);
    assertThat(driver.deadLetters()).extracting(DeadLetter::event).containsExactly(fails);
  }

  @Test
  void startAndEnd_haveTheNameOfTheirEvent() {
    List<String> calls = new ArrayList<>();
    driver =
        new KeyedDriver(
            Options.DEFAULT.startOn(StartOn.START_EVENT).idleMs(5_000),
            () ->
                new KeyHandler() {
                  @Override
                  public void start(KeyContext key) {
                    calls.add("start " + key.origin());
                  }

                  @Override
                  public Outcome event(KeyContext key, Event event) {
                    calls.add("event " + key.origin());
                    return event.getType().equals("done") ? Outcome.DONE : Outcome.CONTINUE;
                  }

                  @Override
                  public void end(KeyContext key, EndReason reason) {
                    calls.add(reason + " " + key.origin());
                  }
                });
    driver.send(event("early"));
    driver.send(event("x").toBuilder().setStart(true).build(), event("done"));
    driver.send(event("x").toBuilder().setStart(true).build());
    driver.silence(30_000);
    assertThat(calls)
        .containsExactly(
            "start weir.events-0-1-0",
            "event weir.events-0-1-0",
            "event weir.events-0-0-0",
            "event weir.events-0-1-1",
            "DONE weir.events-0-1-1",
            "start weir.events-0-2-0",
            "event weir.events-0-2-0",
            "IDLE null");
  }
}

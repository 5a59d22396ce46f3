package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.ops.EventMetric;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

/** When timers of handlers are due. */
class HandlerTimersTest extends HandlerFixture {
  @Test
  void timer_isNeverEarly_withinASecond_alsoWithNothingElseWritten() {
    open(
        (key, event) -> {
          if (event.getDueMs() == 0) {
            for (int i = 0; i < 50; i++) {
              key.schedule("" + i, Duration.ofMillis(1 + 137L * i), Event.getDefaultInstance());
            }
          } else {
            key.emit(OUT, event.getId(), "" + event.getDueMs());
          }
        });
    driver.send(event("go"));
    driver.silence(20_000);
    assertThat(driver.out())
        .hasSize(50)
        .allSatisfy(
            out -> assertThat(out.appendMs() - Long.parseLong(out.value())).isBetween(0L, 1_000L));
  }

  @Test
  void timer_outlivesTheProcess_andTheIdleEnd() {
    open(
        Options.DEFAULT.idleMs(5_000),
        (key, event) -> {
          if (event.getType().equals("go")) {
            key.schedule("far", Duration.ofDays(3), Event.newBuilder().setType("due").build());
            key.setState(Serdes.String(), "kept");
          } else {
            key.emit(OUT, event.getType(), key.state(Serdes.String()));
          }
          return Outcome.CONTINUE;
        });
    driver.send(event("go"));
    driver.silence(60_000);
    driver.restart(Duration.ofDays(4).toMillis());
    driver.silence(31_000); // The driver reads the state back once the task has begun.
    assertThat(driver.out()).extracting(Out::value).containsExactly("kept");
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isEqualTo(1);
    driver.silence(10_000);
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isZero();
  }

  @Test
  void dueInThePast_comesWithTheSameRecord() {
    open(
        (key, event) -> {
          key.emit(OUT, key.key(), event.getType());
          if (event.getType().equals("a")) {
            key.schedule("p", Instant.EPOCH, Event.newBuilder().setType("past").build());
          }
        });
    driver.send(event("a"), event("b"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("a", "b", "past");
  }

  @Test
  void moreDueThanARecordHandles_comesWithTicks() {
    open(
        (key, event) -> {
          if (event.getDueMs() == 0) {
            for (int i = 0; i < 5_000; i++) {
              key.schedule("" + i, Duration.ofSeconds(1), Event.getDefaultInstance());
            }
          } else {
            key.emit(OUT, event.getId(), "");
          }
        });
    driver.send(event("go"));
    driver.silence(3_000);
    assertThat(driver.out()).hasSize(5_000);
  }

  /** Notes its timers apart from its events; "go" starts one that repeats, "stop" cancels it. */
  private static final class Ticking implements KeyHandler {
    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      switch (event.getType()) {
        case "go" -> key.schedule("beat", Duration.ofSeconds(5), Duration.ofSeconds(10));
        case "stop" -> key.cancel("beat");
        default -> {}
      }
      key.emit(OUT, "event", event.getId() + " " + key.timers().keySet());
      return event.getType().equals("done") ? Outcome.DONE : Outcome.CONTINUE;
    }

    @Override
    public Outcome timer(KeyContext key, String id, long dueMs) {
      String missed = key.timerEvent().getMissed() + " missed";
      key.emit(OUT, "timer", id + " " + dueMs + ", " + missed + ", next " + key.timers());
      return Outcome.CONTINUE;
    }
  }

  private List<String> outOf(String kind) {
    return driver.out().stream().filter(out -> out.key().equals(kind)).map(Out::value).toList();
  }

  @Test
  void eventOfAPublisher_thatLooksLikeATimer_isAnEvent() {
    driver = new KeyedDriver(Options.DEFAULT, Ticking::new);
    Event forged = event("x").toBuilder().setId("beat").setDueMs(driver.nowMs()).build();
    driver.send(event("go"), forged);
    assertThat(driver.out())
        .extracting(out -> out.key() + " " + out.value())
        .containsExactly("event  [beat]", "event beat [beat]");
  }

  @Test
  void timerThatRepeats_comesUntilItIsCancelled_andThoseMissedComeOnce() {
    driver = new KeyedDriver(Options.DEFAULT, Ticking::new);
    long t = driver.nowMs();
    driver.send(event("go"));
    driver.silence(16_000);
    assertThat(outOf("timer"))
        .containsExactly(beat(t + 5_000, 0, t + 15_000), beat(t + 15_000, 0, t + 25_000));
    driver.restart(60_000);
    driver.silence(61_000); // The driver reads the state back once the task has begun.
    List<String> after = outOf("timer");
    assertThat(after).hasSizeGreaterThan(1);
    assertThat(after.get(0)).contains(" missed, ").doesNotContain(" 0 missed, ");
    assertThat(after.subList(1, after.size())).allMatch(each -> each.contains(" 0 missed, "));
    driver.send(event("stop"));
    driver.silence(60_000);
    assertThat(outOf("timer")).isEmpty();
    assertThat(driver.metric(EventMetric.HANDLER_TIMERS_WAITING)).isZero();
  }

  private static String beat(long dueMs, long missed, long nextMs) {
    return "beat %d, %d missed, next {beat=%s}"
        .formatted(dueMs, missed, Instant.ofEpochMilli(nextMs));
  }

  @Test
  void timerThatRepeats_endsWithItsKey() {
    driver = new KeyedDriver(Options.DEFAULT, Ticking::new);
    driver.send(event("go"), event("done"));
    driver.silence(60_000);
    assertThat(outOf("timer")).isEmpty();
    assertThat(driver.metric(EventMetric.HANDLER_TIMERS_WAITING)).isZero();
  }

  @Test
  void timerThatRepeatsAndFails_comesAgainForTheSameTime_thenGoesOn() {
    List<Long> due = new ArrayList<>();
    int[] failuresToCome = {2};
    driver =
        new KeyedDriver(
            Options.DEFAULT,
            () ->
                new KeyHandler() {
                  @Override
                  public void start(KeyContext key) {
                    key.schedule("beat", Duration.ofSeconds(5), Duration.ofSeconds(10));
                  }

                  @Override
                  public Outcome event(KeyContext key, Event event) {
                    return Outcome.CONTINUE;
                  }

                  @Override
                  public Outcome timer(KeyContext key, String id, long dueMs) {
                    due.add(dueMs);
                    if (failuresToCome[0]-- > 0) {
                      throw new IllegalStateException("connection reset");
                    }
                    return Outcome.CONTINUE;
                  }
                });
    long t = driver.nowMs();
    driver.send(event("a"));
    driver.silence(26_000);
    assertThat(due).containsExactly(t + 5_000, t + 5_000, t + 5_000, t + 15_000, t + 25_000);
  }

  private static final long DAY = 86_400_000;

  /** A record of a broker whose clock is a day ahead must not stop what is due at the true time. */
  private void aDayAheadOnce(Event event) {
    driver.pass(DAY);
    driver.send(event.toBuilder().setTimestampMs(driver.nowMs()).build());
    driver.pass(-DAY);
    driver.send(
        Event.newBuilder()
            .setKey(KeyedDriver.keys(2).get(1))
            .setType("other")
            .setTimestampMs(driver.nowMs())
            .build());
  }

  @Test
  void repetition_goesOnWhereAClockWasADayAheadOnce() {
    open(
        (key, event) -> {
          if (event.getType().equals("start")) {
            key.schedule("every", Duration.ofSeconds(1), Duration.ofSeconds(10));
          } else if (event.getDueMs() != 0) {
            key.emit(OUT, key.key(), event.getId());
          }
        });
    driver.send(event("start"));
    driver.silence(30_000);
    assertThat(driver.out()).hasSize(3);
    aDayAheadOnce(event("x"));
    driver.out();
    driver.silence(600_000);
    assertThat(driver.out()).hasSizeBetween(59, 61).allMatch(out -> out.value().equals("every"));
  }

  @Test
  void retry_comesWhereAClockWasADayAheadOnce() {
    int[] calls = {0};
    open(
        KeyedDriver.Options.DEFAULT.retries(Retries.DEFAULT),
        (key, event) -> {
          if (event.getType().equals("x") && calls[0]++ == 0) {
            throw new IllegalStateException("no");
          }
          key.emit(OUT, key.key(), event.getType());
          return Outcome.CONTINUE;
        });
    driver.send(event("start"));
    aDayAheadOnce(event("x"));
    driver.send(event("y"));
    driver.silence(120_000);
    assertThat(driver.out()).extracting(KeyedDriver.Out::value).contains("x", "y");
  }
}

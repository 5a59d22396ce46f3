package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls that take long, and records whose calls together do. */
class CallTimesTest extends HandlerFixture {
  private long recordMs;
  private long longestMs;

  private Outcome take(KeyContext key, Event event, long ms) {
    driver.pass(ms);
    recordMs += ms;
    longestMs = Math.max(longestMs, recordMs);
    key.emit(OUT, key.key(), event.getType());
    return Outcome.CONTINUE;
  }

  private void send(Event... events) {
    recordMs = 0;
    driver.send(events);
  }

  private Event[] events(int count) {
    return IntStream.range(0, count).mapToObj(i -> event("" + i)).toArray(Event[]::new);
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "" + i).toList();
  }

  @Test
  void callThatTakesTooLong_fails_andTheNextGoesOn() {
    open(
        Options.DEFAULT,
        (key, event) -> take(key, event, event.getType().equals("slow") ? 20_001 : 20_000));
    send(event("slow"));
    assertThat(driver.out()).isEmpty();
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters).extracting(DeadLetter::reason).containsExactly("HANDLER");
    assertThat(deadLetters.get(0).message()).contains("the call took 20001 ms; expected: 20000");
    send(event("next"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("next");
  }

  /** The transaction would end before the record: the rest waits in the state for the next one. */
  @Test
  void callsOfARecord_thatTogetherTakeTooLong_goOnWithLaterRecords_inOrder() {
    open(Options.DEFAULT, (key, event) -> take(key, event, 15_000));
    send(events(7));
    List<String> handled = new ArrayList<>(driver.out().stream().map(Out::value).toList());
    assertThat(handled).containsExactly("0", "1");
    driver.restart(0);
    send(event("7"), event("8"));
    while (handled.size() < 9) {
      handled.addAll(driver.out().stream().map(Out::value).toList());
      recordMs = 0;
      driver.silence(1_000);
    }
    assertThat(handled).containsExactlyElementsOf(numbers(9));
    assertThat(longestMs).isLessThanOrEqualTo(40_000);
    assertThat(driver.deadLetters()).isEmpty();
  }

  /** The last event that begins may start its key, be handled, and end its key. */
  @Test
  void longestCalls_endBeforeTheTransactionDoes() {
    String other = KeyedDriver.keys(2).get(1);
    driver =
        new KeyedDriver(
            Options.DEFAULT,
            () ->
                new KeyHandler() {
                  @Override
                  public void start(KeyContext key) {
                    if (key.key().equals(other)) {
                      take(key, Event.getDefaultInstance(), 20_000);
                    }
                  }

                  @Override
                  public Outcome event(KeyContext key, Event event) {
                    boolean isFirst = event.getType().equals("first");
                    take(key, event, isFirst ? 19_999 : 20_000);
                    return isFirst ? Outcome.CONTINUE : Outcome.DONE;
                  }

                  @Override
                  public void end(KeyContext key, EndReason reason) {
                    take(key, Event.getDefaultInstance(), 20_000);
                  }
                });
    Event lifeOfOther = event("whole life").toBuilder().setKey(other).build();
    send(event("first"), lifeOfOther, event("waits"));
    assertThat(driver.deadLetters()).isEmpty();
    assertThat(driver.out()).hasSize(4);
    assertThat(longestMs)
        .isEqualTo(79_999)
        .isLessThan(CallTimes.transactionTimeoutMs(CallTimes.DEFAULT_MS) - 10_000);
  }

  @Test
  void start_thatHasToWait_comesBeforeWhatWaitedForIt() {
    open(Options.DEFAULT.startOn(StartOn.START_EVENT), (key, event) -> take(key, event, 15_000));
    Event busy =
        event("busy").toBuilder().setKey(KeyedDriver.keys(2).get(1)).setStart(true).build();
    Event start = event("start").toBuilder().setStart(true).build();
    send(event("waits"), busy, busy, start, event("after"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("busy", "busy");
    driver.restart(0);
    send();
    send();
    assertThat(driver.out()).extracting(Out::value).containsExactly("start", "waits", "after");
  }

  @Test
  void timersAndIdleEnds_haveTheSameTime() {
    open(
        Options.DEFAULT,
        (key, event) -> {
          if (event.getDueMs() == 0) {
            for (int i = 0; i < 5; i++) {
              Event due = Event.newBuilder().setType("" + i).build();
              key.schedule("" + i, Duration.ofMillis(1), due);
            }
            return Outcome.CONTINUE;
          }
          return take(key, event, 15_000);
        });
    send(event("schedule"));
    driver.pass(10);
    send();
    assertThat(driver.out()).extracting(Out::value).containsExactly("0");
    driver.silence(2_000);
    assertThat(driver.out()).extracting(Out::value).containsExactly("1", "2", "3", "4");
  }

  @Test
  void overdueTimers_leaveHalfOfTheTimeToEvents() {
    open(
        Options.DEFAULT,
        (key, event) -> {
          if (!event.getType().equals("schedule")) {
            return take(key, event, 1_000);
          }
          for (int i = 0; i < 1_000; i++) {
            Event due = Event.newBuilder().setType("due").build();
            key.schedule("" + i, Duration.ofMillis(1), due);
          }
          return Outcome.CONTINUE;
        });
    send(event("schedule"));
    driver.pass(10);
    for (int i = 0; i < 3; i++) {
      send(event("new"));
      List<String> handled = driver.out().stream().map(Out::value).toList();
      assertThat(handled).hasSize(11).endsWith("new").startsWith("due");
    }
  }

  @Test
  void callThatHangs_isInterrupted_andLeavesNoTraceInItsThread() {
    Object forEver = new Object();
    open(
        Options.DEFAULT,
        (key, event) -> {
          driver.pass(20_001);
          driver.lookAtCalls();
          synchronized (forEver) {
            try {
              forEver.wait();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return Outcome.CONTINUE;
        });
    send(event("hangs"));
    assertThat(driver.deadLetters()).extracting(DeadLetter::reason).containsExactly("HANDLER");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void timeout_isFromASecondToAMinute_andTransactionsTakeMore() {
    open((key, event) -> {});
    KeyedApplication.Builder builder = KeyedApplication.builder("id", () -> null);
    for (Duration wrong : List.of(Duration.ofMillis(999), Duration.ofMillis(60_001))) {
      assertThatThrownBy(() -> builder.callTimeout(wrong)).hasMessageContaining("1 s to 60 s");
    }
    builder.callTimeout(Duration.ofSeconds(1)).callTimeout(Duration.ofSeconds(60));
    assertThat(CallTimes.transactionTimeoutMs(20_000)).isEqualTo(100_000);
  }
}

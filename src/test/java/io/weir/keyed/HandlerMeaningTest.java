package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.event.TimerLimits;
import io.weir.keyed.KeyedDriver.Letter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.ops.EventMetric;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What handlers may do, and what becomes of those that do what they may not. */
class HandlerMeaningTest {
  private KeyedDriver driver;

  @AfterEach
  void close() {
    driver.close();
  }

  /** A handler that is its event method. */
  private record EventOnly(BiFunction<KeyContext, Event, Outcome> body) implements KeyHandler {
    @Override
    public void start(KeyContext key) {}

    @Override
    public Outcome event(KeyContext key, Event event) {
      return body.apply(key, event);
    }
  }

  private void open(Options options, BiFunction<KeyContext, Event, Outcome> body) {
    driver = new KeyedDriver(options, () -> new EventOnly(body));
  }

  private void open(BiConsumer<KeyContext, Event> body) {
    open(
        Options.DEFAULT,
        (key, event) -> {
          body.accept(key, event);
          return Outcome.CONTINUE;
        });
  }

  private Event event(String type) {
    return Event.newBuilder().setKey(KEY).setType(type).setTimestampMs(driver.nowMs()).build();
  }

  private String onlyFailure() {
    List<Letter> letters = driver.letters();
    assertThat(letters).extracting(Letter::reason).containsExactly("HANDLER");
    return letters.get(0).message();
  }

  @Test
  void contextAfterItsCall_doesNothingAndSaysWhy() {
    List<KeyContext> kept = new ArrayList<>();
    open((key, event) -> kept.add(key));
    driver.send(event("a"), event("b"));
    KeyContext first = kept.get(0);
    List<Runnable> uses =
        List.of(
            first::key,
            first::state,
            first::now,
            first::startedAt,
            () -> first.setState(new byte[1]),
            () -> first.cancel("x"),
            () -> first.schedule("x", Duration.ZERO, Event.getDefaultInstance()),
            () -> first.emit(OUT, "k", "v"));
    for (Runnable use : uses) {
      assertThatThrownBy(use::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("used after its call has ended");
    }
    // Nor during a later call, of the same key or of another.
    driver.restart(0);
    driver.send(event("c"));
    assertThatThrownBy(first::key).isInstanceOf(IllegalStateException.class);
    assertThat(driver.out()).isEmpty();
  }

  @Test
  void contextInAnotherThread_isRefused() {
    open((key, event) -> CompletableFuture.runAsync(() -> key.emit(OUT, "k", "v")).join());
    driver.send(event("a"));
    assertThat(onlyFailure()).contains(CompletionException.class.getName(), "by another thread");
    assertThat(driver.out()).isEmpty();
  }

  @Test
  void whatCannotBe_failsTheCallAndNothingElse() {
    Event foreign = Event.newBuilder().setKey("other").build();
    Event repeated = Event.newBuilder().setEveryMs(5_000).build();
    Event large = Event.newBuilder().setSubject("x".repeat(300_000)).build();
    List<BiConsumer<KeyContext, String>> wrongs =
        List.of(
            (key, say) -> key.setState(new byte[KeyContext.MAX_STATE_BYTES + 1]),
            (key, say) -> key.setState(Serdes.String(), "x".repeat(KeyContext.MAX_STATE_BYTES + 1)),
            (key, say) -> key.emit("elsewhere", "k", "v"),
            (key, say) -> key.emit(null, "k", "v"),
            (key, say) -> key.emit(OUT, 1L, "v"),
            (key, say) -> key.emit(OUT, "k", "x".repeat(1 << 20)),
            (key, say) -> key.schedule("x", Duration.ZERO, foreign),
            (key, say) -> key.schedule("x", Duration.ZERO, repeated),
            (key, say) -> key.schedule("x", Duration.ZERO, large),
            (key, say) -> key.schedule("x", Duration.ofSeconds(Long.MAX_VALUE), event("")),
            (key, say) -> key.schedule("x", Instant.MAX, event("")),
            (key, say) -> key.schedule("i".repeat(257), Duration.ZERO, event("")),
            (key, say) -> {
              for (int i = 0; i <= KeyContext.MAX_CALL_RECORDS; i++) {
                key.emit(OUT, "k", "v");
              }
            },
            (key, say) -> recurse(key));
    open(
        (key, event) -> {
          key.emit(OUT, "before", event.getType());
          key.setState(Serdes.String(), "changed");
          key.schedule("t", Duration.ZERO, Event.newBuilder().setType("never").build());
          wrongs.get(Integer.parseInt(event.getType())).accept(key, "");
        });
    for (int i = 0; i < wrongs.size(); i++) {
      driver.send(event("" + i));
      assertThat(driver.letters()).as("wrong " + i).hasSize(1);
    }
    driver.silence(1_000);
    assertThat(driver.out()).isEmpty();
    assertThat(driver.metric(EventMetric.HANDLER_FAILURES)).isEqualTo(wrongs.size());
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isEqualTo(1);
    driver.restart(0);
    assertThat(driver.letters()).isEmpty();
  }

  private static int recurse(KeyContext key) {
    return 1 + recurse(key) + recurse(key);
  }

  @Test
  void failedCall_leavesTheKeyAsItWas_andTheNextEventIsHandled() {
    open(
        (key, event) -> {
          String state = key.state(Serdes.String());
          key.setState(Serdes.String(), (state == null ? "" : state) + event.getType());
          if (event.getType().equals("x")) {
            throw new IllegalStateException("no");
          }
          key.emit(OUT, key.key(), key.state(Serdes.String()));
        });
    driver.send(event("a"), event("x"), event("b"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("a", "ab");
    assertThat(onlyFailure()).contains(KEY, "IllegalStateException: no", "partition 0 offset 0");
  }

  /** It remembers what was undone. */
  @Test
  void objectThatThrew_isReplaced() {
    List<KeyHandler> made = new ArrayList<>();
    driver =
        new KeyedDriver(
            Options.DEFAULT,
            () -> {
              KeyHandler handler =
                  new EventOnly(
                      (key, event) -> {
                        if (event.getType().equals("x")) {
                          throw new IllegalStateException();
                        }
                        return Outcome.CONTINUE;
                      });
              made.add(handler);
              return handler;
            });
    driver.send(event("a"), event("b"));
    assertThat(made).hasSize(1);
    driver.send(event("x"), event("c"), event("d"));
    assertThat(made).hasSize(2);
  }

  @Test
  void failure_stopsTheApplicationWhereItIsTo() {
    open(
        Options.DEFAULT.onFailure(OnFailure.STOP),
        (key, event) -> {
          throw new IllegalStateException("look at me");
        });
    driver.send(event("a"));
    assertThat(driver.stops()).singleElement().asString().contains("look at me", KEY);
    assertThat(onlyFailure()).contains("look at me");
  }

  @Test
  void tooManyTimers_failTheCallThatWantedThem_asAWhole() {
    open(
        Options.DEFAULT.timers(new TimerLimits(10, 100, 1 << 20, 1 << 20)),
        (key, event) -> {
          for (int i = 0; i < Integer.parseInt(event.getType()); i++) {
            key.schedule("t" + i, Duration.ofSeconds(5), Event.newBuilder().setType("0").build());
          }
          key.cancel("t9");
          return Outcome.CONTINUE;
        });
    driver.send(event("12"));
    assertThat(onlyFailure()).contains("as many events");
    driver.send(event("11"), event("11"));
    assertThat(driver.letters()).isEmpty();
    driver.silence(200);
    assertThat(driver.metric(EventMetric.HANDLER_TIMERS_WAITING)).isEqualTo(10);
  }

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

  /** An outage is nobody's silence. */
  @Test
  void outage_endsNoKey() {
    open(Options.DEFAULT.idleMs(10_000), (key, event) -> Outcome.CONTINUE);
    driver.send(event("a"));
    driver.restart(Duration.ofHours(2).toMillis());
    driver.send(event("b").toBuilder().setKey(KeyedDriver.keys(2).get(1)).build());
    driver.silence(1_000);
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isEqualTo(2);
    driver.silence(12_000);
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isZero();
  }

  @Test
  void endedKey_leavesNothing() {
    open(
        Options.DEFAULT,
        (key, event) -> {
          key.setState(new byte[100]);
          key.schedule("t", Duration.ofSeconds(5), Event.getDefaultInstance());
          return event.getType().equals("d") ? Outcome.DONE : Outcome.CONTINUE;
        });
    driver.send(event("a"));
    driver.restart(0);
    int entries = driver.entries();
    driver.send(event("d"));
    driver.restart(0);
    assertThat(entries - driver.entries()).isEqualTo(2);
  }

  @Test
  void repeatedBatch_isHandledOnce() {
    open((key, event) -> key.emit(OUT, key.key(), event.getType()));
    EventBatch batch =
        EventBatch.newBuilder()
            .setGatewayId("gw")
            .setBootId(1)
            .setSequence(1)
            .addEvents(event("a"))
            .build();
    driver.send(batch);
    driver.send(batch);
    assertThat(driver.out()).hasSize(1);
    driver.restart(0);
    driver.send(batch);
    assertThat(driver.out()).isEmpty();
  }

  /** As a dead letter is sent again: without sequence, once the handler is repaired. */
  @Test
  void otherVersion_goesOnWithTheState_andTakesWhatTheOneBeforeRefused() {
    open(
        (key, event) -> {
          key.setState(Serdes.String(), "1");
          if (event.getType().equals("new")) {
            throw new UnsupportedOperationException();
          }
        });
    driver.send(event("old"), event("new"));
    Event letter = driver.letters().get(0).event();
    driver.deploy(
        () ->
            new EventOnly(
                (key, event) -> {
                  key.emit(OUT, event.getType(), key.state(Serdes.String()));
                  return Outcome.CONTINUE;
                }));
    driver.restart(1_000);
    driver.send(letter);
    assertThat(driver.out()).containsExactly(new Out("new", "1", driver.nowMs()));
  }

  /** A state that the new version cannot read fails each call, and loses no event. */
  @Test
  void stateThatCannotBeRead_isTheCallsFailure() {
    open((key, event) -> key.setState(Serdes.String(), "text"));
    driver.send(event("a"));
    driver.deploy(
        () ->
            new EventOnly(
                (key, event) -> key.state(Serdes.Long()) > 0 ? Outcome.CONTINUE : Outcome.DONE));
    driver.restart(0);
    driver.send(event("b"));
    assertThat(onlyFailure()).contains("SerializationException");
  }

  @Test
  void supplierThatFails_isTheCallsFailure() {
    driver = new KeyedDriver(Options.DEFAULT, () -> null);
    driver.send(event("a"));
    assertThat(onlyFailure()).contains("gave null");
    driver.silence(200);
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isZero();
  }

  @Test
  void moreKeysThanMayLive_areDeadLetters() {
    open(
        Options.DEFAULT.limits(new KeyedLimits(2, 10, 1 << 20)),
        (key, event) -> event.getType().equals("d") ? Outcome.DONE : Outcome.CONTINUE);
    for (String key : KeyedDriver.keys(3)) {
      driver.send(event("a").toBuilder().setKey(key).build());
    }
    assertThat(driver.letters()).extracting(Letter::reason).containsExactly("TOO_MANY_KEYS");
    driver.send(event("d"));
    driver.send(event("a").toBuilder().setKey(KeyedDriver.keys(3).get(2)).build());
    assertThat(driver.letters()).isEmpty();
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
}

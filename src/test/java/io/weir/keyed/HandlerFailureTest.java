package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.ops.EventMetric;
import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.keyed.Output.Emitted;
import io.weir.topic.RecordLimits;
import io.weir.v1.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What becomes of a call that fails, of its key and of the application. */
class HandlerFailureTest extends HandlerFixture {
  private String onlyFailure() {
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters).extracting(DeadLetter::reason).containsExactly("HANDLER");
    return deadLetters.get(0).message();
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
          .hasMessageContaining("used after its call had ended");
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
    assertThat(onlyFailure()).contains(CompletionException.class.getName(), "outside the thread");
    assertThat(driver.out()).isEmpty();
  }

  @Test
  void whatCannotBe_failsTheCallAndNothingElse() {
    Event foreign = Event.newBuilder().setKey("other").build();
    Event repeated = Event.newBuilder().setEveryMs(999).build();
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
      assertThat(driver.deadLetters()).as("wrong " + i).hasSize(1);
    }
    driver.silence(1_000);
    assertThat(driver.out()).isEmpty();
    assertThat(driver.metric(EventMetric.HANDLER_FAILURES)).isEqualTo(wrongs.size());
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isEqualTo(1);
    driver.restart(0);
    assertThat(driver.deadLetters()).isEmpty();
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
  void afterAFailureThatStops_noCallBegins_andWhatWasReadIsHandledAfterARestart() {
    open(
        Options.DEFAULT.onFailure(OnFailure.STOP),
        (key, event) -> {
          key.emit(OUT, key.key(), event.getType());
          key.schedule(event.getType(), Duration.ofSeconds(1));
          if (event.getType().equals("x")) {
            throw new IllegalStateException("look at me");
          }
          return Outcome.CONTINUE;
        });
    Event ofAnotherKey = event("c").toBuilder().setKey(KeyedDriver.keys(2).get(1)).build();
    driver.send(event("a"), event("x"), event("b"), ofAnotherKey);
    driver.send(event("d"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("a");
    driver.silence(5_000);
    assertThat(driver.out()).isEmpty();
    assertThat(driver.stops()).hasSize(1);
    driver.restart(1);
    driver.send(event("e"));
    assertThat(driver.out())
        .extracting(Out::value)
        .containsSubsequence("b", "d", "e")
        .contains("c")
        .doesNotContain("x");
  }

  @Test
  void closeByAHandler_isItsFailure_insteadOfWaitingForItself() {
    open((key, event) -> KeyedApplication.requireNoCall());
    driver.send(event("a"));
    assertThat(onlyFailure()).contains("close would wait for the handler");
    KeyedApplication.requireNoCall();
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
    assertThat(onlyFailure()).contains("too many events");
    driver.send(event("11"), event("11"));
    assertThat(driver.deadLetters()).isEmpty();
    driver.silence(200);
    assertThat(driver.metric(EventMetric.HANDLER_TIMERS_WAITING)).isEqualTo(10);
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
    assertThat(onlyFailure()).contains("returned null");
    driver.silence(200);
    assertThat(driver.metric(EventMetric.HANDLER_KEYS)).isZero();
  }

  @Test
  void anyError_isTheCallsFailure() {
    List<Throwable> errors =
        List.of(
            new NoClassDefFoundError("org/x/Optional"),
            new ExceptionInInitializerError("no settings"),
            new Error("a handler's error"),
            new OutOfMemoryError("Requested array size exceeds VM limit"),
            new InterruptedException("asked to stop"));
    open((key, event) -> sneak(errors.get(Integer.parseInt(event.getType()))));
    for (int i = 0; i < errors.size(); i++) {
      driver.send(event("" + i));
      assertThat(onlyFailure()).contains(errors.get(i).getClass().getName());
    }
  }

  /** Only the log asks for the message of the cause. */
  @Test
  void exceptionThatCannotBePrinted_isTheCallsFailure() {
    Logger logger = (Logger) LoggerFactory.getLogger(KeyedProcessor.class);
    logger.setAdditive(false);
    logger.setLevel(Level.DEBUG);
    try {
      open(
          (key, event) -> {
            throw new IllegalStateException("cause", new Nameless());
          });
      driver.send(event("a"), event("b"));
      assertThat(driver.deadLetters()).hasSize(2);
    } finally {
      logger.setLevel(null);
      logger.setAdditive(true);
    }
  }

  private static final class Nameless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new NoSuchMethodError("getMessage");
    }
  }

  /** Some programs and serializers use one array for all records. */
  @Test
  void arrayThatTheProgramUsesAgain_doesNotChangeWhatItEmitted() {
    Output<byte[], byte[]> output =
        Output.of("out", new ByteArraySerializer(), new ByteArraySerializer())
            .with(new RecordLimits(1_000, false, Long.MAX_VALUE), 1, 1_000);
    byte[] bytes = {1};
    Emitted emitted = output.serialize(new ProducerRecord<>("out", bytes, bytes));
    bytes[0] = 2;
    assertThat(emitted.key()).containsExactly(1);
    assertThat(emitted.value()).containsExactly(1);
  }

  @SuppressWarnings("unchecked") // The cast is none at run time.
  private static <T extends Throwable> void sneak(Throwable throwable) throws T {
    throw (T) throwable;
  }
}

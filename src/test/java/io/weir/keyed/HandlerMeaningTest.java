package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import io.weir.internal.ops.EventMetric;
import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

/** What a handler does with the events of its keys, and when a key ends. */
class HandlerMeaningTest extends HandlerFixture {
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
    Event deadLetter = driver.deadLetters().get(0).event();
    driver.deploy(
        () ->
            new EventOnly(
                (key, event) -> {
                  key.emit(OUT, event.getType(), key.state(Serdes.String()));
                  return Outcome.CONTINUE;
                }));
    driver.restart(1_000);
    driver.send(deadLetter);
    assertThat(driver.out()).containsExactly(new Out("new", "1", driver.nowMs()));
  }

  @Test
  void moreKeysThanMayLive_areDeadLetters() {
    open(
        Options.DEFAULT.limits(new KeyedLimits(4, 10, 1 << 20, 1 << 30)),
        (key, event) -> event.getType().equals("d") ? Outcome.DONE : Outcome.CONTINUE);
    for (String key : KeyedDriver.keys(3)) {
      driver.send(event("a").toBuilder().setKey(key).build());
    }
    assertThat(driver.deadLetters())
        .extracting(DeadLetter::reason)
        .containsExactly("TOO_MANY_KEYS");
    driver.send(event("d"));
    driver.send(event("a").toBuilder().setKey(KeyedDriver.keys(3).get(2)).build());
    assertThat(driver.deadLetters()).isEmpty();
  }

  @Test
  void moreBytesOfStatesThanMayBe_failTheirCall_andKeepNewKeysOut() {
    int most = 3_500; // Half of it: eight keys, or fewer with states.
    open(
        Options.DEFAULT.limits(new KeyedLimits(1_000, 1_000, 64 << 20, most)),
        (key, event) -> {
          if (event.getType().equals("d")) {
            return Outcome.DONE;
          }
          key.setState(new byte[Integer.parseInt(event.getType())]);
          return Outcome.CONTINUE;
        });
    List<String> keys = KeyedDriver.keys(9);
    driver.send(sized(keys.get(0), 900));
    driver.send(sized(keys.get(1), 2_000));
    assertThat(driver.deadLetters())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.reason()).isEqualTo("HANDLER");
              assertThat(letter.message()).contains("weir.handlers.max.bytes");
            });
    driver.send(sized(keys.get(1), 100), sized(keys.get(0), 950), sized(keys.get(0), 900));
    assertThat(driver.deadLetters()).isEmpty();

    for (String key : keys) {
      driver.send(sized(key, 0)); // Shrinks the first two.
    }
    assertThat(driver.deadLetters())
        .isNotEmpty()
        .allSatisfy(letter -> assertThat(letter.reason()).isEqualTo("TOO_MANY_KEYS"));
    driver.restart(1_000);
    driver.send(sized(keys.get(8), 0));
    assertThat(driver.deadLetters()).hasSize(1);
    driver.send(event("d").toBuilder().setKey(keys.get(0)).build(), sized(keys.get(8), 0));
    assertThat(driver.deadLetters()).isEmpty();
  }

  private Event sized(String key, int bytes) {
    return event(Integer.toString(bytes)).toBuilder().setKey(key).build();
  }

  /** A hundred bytes on the wire: a value within a field may come again and again. */
  @Test
  void eventOfAHundredThousandEmptyValues_isHandled_andSoIsTheNext() throws IOException {
    List<String> handled = new ArrayList<>();
    open((key, event) -> handled.add(event.getType()));
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(field);
    out.writeString(1, "f");
    for (int i = 0; i < 120_000; i++) {
      out.writeByteArray(2, new byte[0]);
    }
    out.flush();
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes(event("hostile").toByteArray());
    CodedOutputStream more = CodedOutputStream.newInstance(event);
    more.writeByteArray(Event.FIELDS_FIELD_NUMBER, field.toByteArray());
    more.flush();
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    CodedOutputStream events = CodedOutputStream.newInstance(batch);
    events.writeByteArray(EventBatch.EVENTS_FIELD_NUMBER, event.toByteArray());
    events.flush();

    driver.pipe(batch.toByteArray(), new RecordHeaders());
    driver.send(event("honest"));

    assertThat(handled).containsExactly("hostile", "honest");
    assertThat(driver.deadLetters()).isEmpty();
  }
}

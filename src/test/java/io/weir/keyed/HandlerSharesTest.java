package io.weir.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.keyed.KeyedDriver.DeadLetter;
import io.weir.keyed.KeyedDriver.Options;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One gateway cannot use up what the keys of others need. */
class HandlerSharesTest extends HandlerFixture {
  private static final List<String> KEYS = KeyedDriver.keys(101);

  private void send(String gateway, long sequence, List<String> keys, int bytes) {
    EventBatch.Builder batch =
        EventBatch.newBuilder().setGatewayId(gateway).setBootId(5).setSequence(sequence);
    Value field = Value.newBuilder().setStringValue("x".repeat(bytes)).build();
    for (String key : keys) {
      batch.addEvents(
          Event.newBuilder().setKey(key).setTimestampMs(driver.nowMs()).putFields("f", field));
    }
    driver.send(batch.build());
  }

  private List<String> refused() {
    return driver.deadLetters().stream().map(DeadLetter::reason).toList();
  }

  @Test
  void oneGatewayMakesHalfOfTheKeys_othersTheRest_alsoAfterARestart() {
    open(
        Options.DEFAULT.limits(new KeyedLimits(100, 1_000, 64 << 20, 64 << 20)),
        (key, event) -> Outcome.CONTINUE);
    send("attacker", 1, KEYS.subList(0, 100), 1);
    assertThat(refused()).hasSize(50).containsOnly("TOO_MANY_KEYS");
    driver.restart(0);
    driver.silence(31_000); // The driver reads the state back once the task has begun.
    send("attacker", 2, KEYS.subList(99, 100), 1);
    assertThat(refused()).containsExactly("TOO_MANY_KEYS");
    send("honest", 1, KEYS.subList(100, 101), 1);
    assertThat(refused()).isEmpty();
  }

  @Test
  void oneGatewayFillsHalfOfTheRoomForWaitingEvents_othersTheRest_alsoAfterARestart() {
    open(
        Options.DEFAULT
            .limits(new KeyedLimits(1_000, 1_000, 100_000, 64 << 20))
            .startOn(StartOn.START_EVENT),
        (key, event) -> Outcome.CONTINUE);
    send("attacker", 1, KEYS.subList(0, 100), 1_000);
    assertThat(refused()).hasSizeBetween(45, 65).containsOnly("TOO_MANY_WAITING");
    driver.restart(0);
    driver.silence(31_000); // The driver reads the state back once the task has begun.
    send("attacker", 2, KEYS.subList(99, 100), 1_000);
    assertThat(refused()).containsExactly("TOO_MANY_WAITING");
    send("honest", 1, KEYS.subList(100, 101), 1_000);
    assertThat(refused()).isEmpty();
  }

  @Test
  void oneGatewaysStatesFillHalf_othersTheRest() {
    open(
        Options.DEFAULT.limits(new KeyedLimits(1_000, 1_000, 64 << 20, 100_000)),
        (key, event) -> {
          key.setState(new byte[event.getFieldsOrThrow("f").getStringValue().length()]);
          return Outcome.CONTINUE;
        });
    send("attacker", 1, KEYS.subList(0, 40), 2_000);
    assertThat(refused()).hasSizeBetween(10, 30);
    send("honest", 1, KEYS.subList(100, 101), 2_000);
    assertThat(refused()).isEmpty();
  }
}

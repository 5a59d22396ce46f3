package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.KEY;
import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.LoggedLines;
import io.weir.internal.ops.EventMetric;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.wire.ResetMark;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.KeyDeletion;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

/** Operators' orders to delete a key. */
class DeletionTest extends HandlerFixture {
  private static final ResetMark OURS = new ResetMark(1, 2, 3);
  private static final ResetMark OURS_AGAIN = new ResetMark(2, 2, 3);
  private static final ResetMark ANOTHERS = new ResetMark(4, 5, 6);

  private record Orders(Map<ResetMark, KeyDeletion> orders) implements ControlLog {
    @Override
    public Uuid topicId() {
      return Uuid.ZERO_UUID;
    }

    @Override
    public Optional<String> gatewayToReset(ResetMark mark) {
      return Optional.empty();
    }

    @Override
    public Optional<AcceptedLoss> acceptedLoss(ResetMark mark) {
      return Optional.empty();
    }

    @Override
    public Optional<KeyDeletion> keyToDelete(ResetMark mark) {
      return Optional.ofNullable(orders.get(mark));
    }
  }

  private static KeyDeletion deletion(String application) {
    return KeyDeletion.newBuilder().setApplicationId(application).setKey(KEY).build();
  }

  private void openCounting() {
    open(
        (key, event) -> {
          String before = key.state(Serdes.String());
          key.setState(Serdes.String(), before == null ? "1" : before + "1");
          key.emit(OUT, key.key(), key.state(Serdes.String()));
          key.schedule("t", Duration.ofMinutes(1));
        });
    KeyDeletion ours = deletion("handlers");
    driver.control(new Orders(Map.of(OURS, ours, OURS_AGAIN, ours, ANOTHERS, deletion("others"))));
    driver.restart(1);
  }

  @Test
  void mark_deletesStateAndTimers_betweenTheEventsAroundIt_once() {
    openCounting();
    driver.send(event("a"), event("b"));
    driver.mark(OURS);
    driver.restart(1_000);
    driver.silence(61_000);
    driver.send(event("c"), event("d"));
    driver.restart(1_000);
    driver.send(event("e"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("111");
    assertThat(driver.deadLetters()).isEmpty();
  }

  @Test
  void markWithoutAnOrder_andOfAnotherApplication_deleteNothing() {
    openCounting();
    driver.send(event("a"));
    driver.mark(ANOTHERS);
    driver.mark(new ResetMark(1, 2, 4));
    driver.send(event("b"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("1", "11");
  }

  @Test
  void markWithoutAnOrder_isCountedAndADeadLetter() {
    openCounting();
    driver.mark(ANOTHERS);
    assertThat(driver.reasons()).isEmpty();
    driver.mark(new ResetMark(1, 2, 4));
    assertThat(driver.reasons()).containsExactly("UNKNOWN_RESET");
    assertThat(driver.metric(EventMetric.EVENTS_UNDECODABLE)).isEqualTo(1);
  }

  @Test
  void copiedMark_deletesNothingAgain_alsoAfterARestart() {
    openCounting();
    driver.send(event("a"));
    driver.mark(OURS);
    driver.send(event("b"), event("c"));
    driver.mark(OURS);
    driver.send(event("d"));
    driver.restart(1_000);
    driver.mark(OURS);
    driver.send(event("e"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("1111");
    assertThat(driver.metric(EventMetric.HANDLER_DELETIONS)).isEqualTo(3);
    assertThat(driver.reasons()).isEmpty();
  }

  @Test
  void copiesOfAMark_areAFewLinesAMinute() {
    openCounting();
    driver.mark(OURS);
    try (LoggedLines lines = new LoggedLines(KeyedProcessor.class.getName())) {
      for (int i = 0; i < 1_000; i++) {
        driver.mark(OURS);
      }
      assertThat(lines.warnings()).hasSizeBetween(10, 100);
    }
  }

  @Test
  void newerOrder_deletesTheKeyAgain() {
    openCounting();
    driver.send(event("a"));
    driver.mark(OURS);
    driver.send(event("b"));
    driver.mark(OURS_AGAIN);
    driver.mark(OURS);
    driver.send(event("c"));
    assertThat(driver.out()).extracting(Out::value).containsExactly("1", "1", "1");
  }
}

package io.weir.keyed;

import static io.weir.keyed.KeyedDriver.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.keyed.KeyedDriver.Options;
import io.weir.keyed.KeyedDriver.Out;
import io.weir.ops.EventMetric;
import io.weir.v1.Event;
import java.time.Duration;
import java.time.Instant;
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
}

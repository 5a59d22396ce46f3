package io.weir.lab.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldReason;
import io.weir.v1.FoldedEvent;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.Value;
import org.junit.jupiter.api.Test;

class LiveEventsTest {
  private final LiveEvents live = new LiveEvents();

  @Test
  void sensorThatFallsSilentAndResumes_isCountedWhileItIsSilent() {
    status("a", SensorState.SENSOR_STATE_STARTED);
    status("b", SensorState.SENSOR_STATE_STARTED);
    status("a", SensorState.SENSOR_STATE_SILENT);
    assertThat(live.view().silent()).isEqualTo(1);
    assertThat(live.view().lastStatus()).isEqualTo("a SILENT");

    status("a", SensorState.SENSOR_STATE_SILENT);
    assertThat(live.view().silent()).as("its alarm became active").isEqualTo(1);

    status("a", SensorState.SENSOR_STATE_RESUMED);
    assertThat(live.view().silent()).isZero();
  }

  @Test
  void alarm_isActiveUntilItIsCleared() {
    alarm(true);
    assertThat(live.view().active()).isEqualTo(1);
    assertThat(live.view().lastAlarm()).isEqualTo("hot ACTIVE boiler at 96.5");

    alarm(false);
    assertThat(live.view().active()).isZero();
    assertThat(live.view().events()).isEqualTo(2);
  }

  @Test
  void fold_isShownWithItsReason() {
    live.add(
        FoldedEvent.newBuilder()
            .setKey("plant")
            .setEventCount(12)
            .setReason(FoldReason.FOLD_REASON_QUIET)
            .build());

    assertThat(live.view().folds()).isEqualTo(1);
    assertThat(live.view().lastFold()).isEqualTo("plant, 12 events, QUIET");
  }

  private void status(String sensor, SensorState state) {
    live.add(SensorStatus.newBuilder().setSensorId(sensor).setState(state).build());
  }

  private void alarm(boolean active) {
    live.add(
        EventBatch.newBuilder()
            .addEvents(
                Event.newBuilder()
                    .setType("alarm")
                    .setSubject("boiler")
                    .putFields("rule", text("hot"))
                    .putFields("level", text("high"))
                    .putFields("active", Value.newBuilder().setBoolValue(active).build())
                    .putFields("value", Value.newBuilder().setDoubleValue(96.5).build()))
            .build());
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}

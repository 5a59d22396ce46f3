package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class AlarmCheckTest {
  private static final Event RAISED = alarm(1_000, true);
  private static final Event CLEARED = alarm(3_000, false);

  private final AlarmCheck check = new AlarmCheck();

  AlarmCheckTest() {
    check.expect(List.of(AlarmCheck.bytes(RAISED), AlarmCheck.bytes(CLEARED)));
  }

  @Test
  void allThatWereDue_inOneBatchOrSeveral_areRight() {
    take(RAISED);
    take(Event.newBuilder().setKey("g0").setType("metrics").build());
    take(CLEARED);

    assertThat(check.isExact()).isTrue();
    assertThat(check.findings().areNone()).isTrue();
    assertThat(check.found()).isEqualTo(2);
  }

  @Test
  void oneThatIsMissing_isLost() {
    take(RAISED);

    assertThat(check.isExact()).isFalse();
    assertThat(check.findings().lost()).isEqualTo(1);
  }

  @Test
  void oneThatComesTwice_isDoubled() {
    take(RAISED, RAISED, CLEARED);

    assertThat(check.isExact()).isFalse();
    assertThat(check.findings().doubled()).isEqualTo(1);
  }

  @Test
  void oneThatWasNotDue_isDoubled() {
    take(RAISED, CLEARED, alarm(5_000, true));

    assertThat(check.findings().doubled()).isEqualTo(1);
  }

  @Test
  void oneOfAnotherValue_isWrong() {
    take(RAISED);
    take(
        CLEARED.toBuilder()
            .putFields("value", Value.newBuilder().setDoubleValue(-0.0).build())
            .build());

    assertThat(check.findings().wrongRecords()).isEqualTo(1);
    assertThat(check.findings().lost()).isZero();
    assertThat(check.findings().doubled()).isZero();
  }

  @Test
  void oneWithAFieldTooMany_isWrong() {
    take(RAISED);
    take(CLEARED.toBuilder().setId("x").build());

    assertThat(check.findings().wrongRecords()).isEqualTo(1);
  }

  @Test
  void twoInTheWrongOrder_areWrong() {
    take(CLEARED, RAISED);

    assertThat(check.isExact()).isFalse();
    assertThat(check.findings().lines()).singleElement().asString().contains("another order");
  }

  @Test
  void oneInAnotherPartition_isWrong() {
    take(RAISED);
    check.take(record(1 - Math.min(1, SensorPartition.of("g0")), CLEARED));

    assertThat(check.isExact()).isFalse();
    assertThat(check.findings().wrongRecords()).isEqualTo(1);
  }

  @Test
  void recordsThatAreNoBatch_areNobodysAlarms() {
    check.take(new ConsumerRecord<>("weir.events", 0, 0, null, new byte[] {1, 2, 3}));
    check.take(new ConsumerRecord<>("weir.events", 0, 1, null, null));
    take(RAISED, CLEARED);

    assertThat(check.isExact()).isTrue();
  }

  private void take(Event... events) {
    check.take(record(SensorPartition.of("g0"), events));
  }

  private static ConsumerRecord<byte[], byte[]> record(int partition, Event... events) {
    byte[] value = EventBatch.newBuilder().addAllEvents(List.of(events)).build().toByteArray();
    return new ConsumerRecord<>("weir.events", partition, 0, new byte[0], value);
  }

  private static Event alarm(long atMs, boolean active) {
    NaiveAlarmEvent event = new NaiveAlarmEvent("g0", "g0/sensor-1", atMs);
    event.text("rule", "hot");
    event.text("level", "high");
    event.active(active);
    event.text("cause", active ? "exceeded" : "inside");
    event.number("value", 0.0);
    event.number("limit", 95.0);
    event.integer("priority", 0L);
    event.integer("window_start_ms", active ? 0L : null);
    return event.build();
  }
}

package io.weir.internal.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.internal.registry.ValueFormat;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Lives with windows of 60 s and of 10 s: a reset may change their length. */
class PublishedWindowsTest {
  private static final Life BEFORE = new Life(1);
  private static final Life RUNNING = new Life(2);
  private static final int PARTITION = 3;
  private static final String WINDOWS = "weir.windows";

  private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();
  private final List<KnownOffsets> noWindows = new ArrayList<>();

  @Test
  void windowOfAnotherLength_isNoRecordOfAWindow() {
    publish(BEFORE, 0, 60_000, 9);
    publish(BEFORE, 0, 10_000, 2);
    List<String> records = new ArrayList<>();
    PublishedWindows.read(
        new LogReader(log),
        ValueFormat.BARE,
        new TopicPartition(WINDOWS, PARTITION),
        10_000,
        List.of(),
        (window, offset) -> records.add(window.getWindowStartMs() + " " + window.getCount()));

    assertThat(records).containsExactly("0 2");
  }

  @Test
  void windowsOfALengthThatTheRunningLifeDoesNotHave_areNotReplaced() {
    publish(BEFORE, 0, 60_000, 9);
    publish(BEFORE, 10_000, 10_000, 1);
    publish(RUNNING, 120_000, 10_000, 1);

    assertThat(isOfAnotherLife(5_000)).isFalse();
    assertThat(isOfAnotherLife(15_000)).isTrue();
    assertThat(isOfAnotherLife(125_000)).isFalse();
  }

  /** The first life had the same length as the running one, and the second a shorter one. */
  @Test
  void windowOfTheSameLength_isFound_behindNewerOnesOfAnotherLength() {
    publish(BEFORE, 0, 60_000, 9);
    publish(new Life(3), 10_000, 10_000, 1);
    assertThat(isOfAnotherLife(25_000)).as("of any length").isTrue();
    publish(RUNNING, 120_000, 60_000, 1);

    assertThat(isOfAnotherLife(25_000)).isTrue();
    assertThat(isOfAnotherLife(70_000)).isFalse();
  }

  /** A start that is the end: a length by which nothing can be divided. */
  @Test
  void windowsWithoutALength_areNone() {
    publish(BEFORE, 7_000, 0, 9);
    publish(BEFORE, 8_000, -1_000, 9);
    publish(RUNNING, 9_000, 0, 9);

    assertThat(isOfAnotherLife(7_000)).isFalse();
  }

  @Test
  void recordThatIsNoWindow_isNamed_andAnOperatorGoesOnWithout() {
    publish(BEFORE, 0, 10_000, 9);
    log.add(new ConsumerRecord<>(WINDOWS, PARTITION, log.size(), null, new byte[] {1}));
    publish(BEFORE, 10_000, 10_000, 9);

    noWindows.add(KnownOffsets.parse("3:0"));
    noWindows.add(KnownOffsets.parse("4:0-9"));
    assertThatThrownBy(() -> isOfAnotherLife(15_000))
        .isInstanceOf(KafkaException.class)
        .hasMessageEndingWith("--not-a-window 3:1");
    noWindows.add(KnownOffsets.parse("3:1-2"));
    assertThat(isOfAnotherLife(5_000)).isTrue();
    assertThat(isOfAnotherLife(15_000)).isTrue();
    assertThatThrownBy(() -> KnownOffsets.parse("3:2-1")).hasMessageContaining("26:1234");
  }

  private boolean isOfAnotherLife(long timestampMs) {
    RunningLife running = new RunningLife(RUNNING, Uuid.ZERO_UUID, UnreadOffsets.before(0));
    PublishedWindows windows =
        new PublishedWindows(new Lives("weir", Map.of(PARTITION, running), false), noWindows);
    List.of(0L, timestampMs, 200_000L).forEach(eachMs -> windows.add("a", eachMs));
    windows.look(new LogReader(log), ValueFormat.BARE, WINDOWS);
    return windows.isOfAnotherLife(PARTITION, "a", timestampMs);
  }

  private void publish(Life life, long startMs, long lengthMs, long count) {
    WindowSummary window =
        WindowSummary.newBuilder()
            .setSensorId("a")
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + lengthMs)
            .setCount(count)
            .build();
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(WINDOWS, PARTITION, log.size(), null, window.toByteArray());
    record.headers().add(life.header());
    log.add(record);
  }
}

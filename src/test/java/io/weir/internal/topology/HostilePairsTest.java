package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import io.weir.lab.hostile.HostileOutput;
import io.weir.lab.hostile.HostileRecord;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.WindowSummary;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;

/**
 * Each row of the table of what a hostile writer may send, against both topologies: the neighbour's
 * readings and events count, what comes out is a few times what came in, and each dead letter is
 * one that a broker takes. {@code weir chaos --faults hostile} plays the same table against
 * processes.
 */
class HostilePairsTest {
  private static final long SEED = Long.getLong("weir.seed", 1);
  private static final long T = RejectionFixture.T;
  private static final int MOST_BYTES = 1 << 20;
  private static final int PARTITION = 0;

  @Test
  void readings_asHostileAsTheyCanBe_harmNobody() {
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      long neighbours = 0;
      for (HostileRow row : HostileTable.rows(Target.READINGS, SEED)) {
        HostileRecord record = HostileRecord.of(row, PARTITION, T);
        weir.send(T, record.key(), record.value(), record.headers());
        weir.send(T, Batches.sequenced("neighbour", T << 20, ++neighbours, RejectionFixture.GOOD));

        assertBounded(row, record, weir.deadLetters());
      }
    }
  }

  @Test
  void events_asHostileAsTheyCanBe_harmNobody() {
    FoldSpec spec = new FoldSpec(1_000, 5_000, 50, 1 << 20);
    try (EventDriver weir = new EventDriver(spec)) {
      for (HostileRow row : HostileTable.rows(Target.EVENTS, SEED)) {
        HostileRecord record = HostileRecord.of(row, PARTITION, weir.nowMs());
        String topic = record.scheduled() ? EventDriver.SCHEDULED : EventDriver.EVENTS;
        weir.pipe(topic, record.key(), record.value(), record.headers());
        weir.send(
            EventDriver.EVENTS,
            Event.newBuilder().setKey(EventDriver.KEY).setTimestampMs(weir.nowMs()).build());
        weir.silence(1_500);

        assertThat(weir.folds())
            .as(row.toString())
            .anyMatch(fold -> fold.message().getKey().equals(EventDriver.KEY));
        assertBounded(row, record, weir.deadLetters());
      }
    }
  }

  /** As {@code weir events} reads them. */
  @Test
  void windowsAndPartsThatAreForged_harmNoGroup() {
    GroupSpec spec = new GroupSpec(1_000, 5_000, 300_000, 1L << 40, 10_000, 1 << 24);
    GroupSettings groups =
        new GroupSettings(
            Topic.WINDOWS, HostileOutput.SIZE_MS, GroupTemplate.DEFAULT, spec, "weir-events");
    try (EventDriver weir =
        new EventDriver(FoldSpec.DEFAULT, TimerLimits.DEFAULT, Optional.of(groups))) {
      long nowMs = weir.nowMs();
      WindowSummary neighbours =
          WindowSummary.newBuilder()
              .setSensorId("neighbour/1")
              .setWindowStartMs(nowMs)
              .setWindowEndMs(nowMs + HostileOutput.SIZE_MS)
              .setCount(1)
              .build();
      weir.pipe(Topic.WINDOWS.defaultName(), neighbours.toByteArray(), new RecordHeaders());
      for (HostileRow row : HostileTable.rows(Target.OUTPUT, SEED)) {
        HostileOutput forged = HostileOutput.of(row, nowMs);
        if (forged.topic().equals(Topic.GROUP_PARTS.defaultName())) {
          GroupPart.mark(forged.headers(), "weir-events");
          weir.pipe(forged.topic(), forged.key(), forged.value(), forged.headers());
        } else if (forged.topic().equals(Topic.WINDOWS.defaultName())) {
          weir.pipe(forged.topic(), forged.key(), forged.value(), forged.headers());
        }
        assertThat(weir.deadLetters())
            .as(row.toString())
            .hasSizeLessThan(2)
            .allSatisfy(one -> assertThat(estimate(one)).isLessThanOrEqualTo(MOST_BYTES));
      }
      weir.silence(7_000);
      assertThat(weir.groups())
          .filteredOn(one -> one.message().getGroup().equals("neighbour"))
          .hasSize(1)
          .allMatch(one -> one.message().getCount() == 1);
    }
  }

  private static void assertBounded(
      HostileRow row, HostileRecord record, List<DeadLetter> refused) {
    int bytes = record.value() == null ? 0 : record.value().length;
    assertThat(refused.stream().mapToLong(HostilePairsTest::estimate).sum())
        .as(row.toString())
        .isLessThan(6L * bytes + 100_000);
    assertThat(refused)
        .as(row.toString())
        .hasSizeLessThan(24)
        .allSatisfy(one -> assertThat(estimate(one)).isLessThanOrEqualTo(MOST_BYTES))
        .noneSatisfy(
            one -> assertThat(one.header(DeadLetterHeaders.GATEWAY)).isEqualTo("neighbour"));
  }

  private static int estimate(DeadLetter one) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        one.key(),
        one.value(),
        one.headers().toArray());
  }
}

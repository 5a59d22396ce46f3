package io.weir.internal.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.internal.app.AcceptedLosses;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.internal.wire.LeftWindows;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.hostile.HostileOutput;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import io.weir.reading.Limits;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.ReadingBatch;
import io.weir.v1.RedriveMark;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/**
 * Each row of the table of forged records, for what {@code weir redrive} and {@code weir
 * accept-loss} read: a window that cannot be read stops them with its offset, and nothing else
 * does.
 */
class ForgedRecordsInRedriveTest {
  private static final long SEED = Long.getLong("weir.seed", 1);
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int PARTITION = 3;
  private static final Uuid TOPIC_ID = new Uuid(0, 0);

  private final RunningLife running =
      new RunningLife(new Life(7), TOPIC_ID, UnreadOffsets.before(0));
  private final RecordSplitter splitter =
      new RecordSplitter(
          ValueFormat.BARE.reader("records", ReadingBatch.getDefaultInstance(), WaitLimit.of(0)),
          Limits.DEFAULT,
          1_000);

  @Test
  void forgedRecords_stopNothing() {
    int[] windows = new int[2];
    for (HostileRow row : HostileTable.rows(Target.OUTPUT, SEED)) {
      ConsumerRecord<byte[], byte[]> record = record(HostileOutput.of(row, NOW_MS));
      if (record.topic().equals(Topic.WINDOWS.defaultName())) {
        Throwable stopped = catchThrowable(() -> lookAt(record));
        windows[stopped == null ? 0 : 1]++;
        if (stopped != null) {
          assertThat(stopped)
              .as(row.toString())
              .isInstanceOf(KafkaException.class)
              .hasMessageEndingWith("--not-a-window 3:0");
        }
      } else {
        assertThat(catchThrowable(() -> take(record))).as(row.toString()).isNull();
      }
    }
    assertThat(windows[0]).isPositive();
    assertThat(windows[1]).isPositive();
  }

  private void lookAt(ConsumerRecord<byte[], byte[]> record) {
    PublishedWindows windows =
        new PublishedWindows(new Lives("weir", Map.of(PARTITION, running), false), List.of());
    for (long timeMs : new long[] {Long.MIN_VALUE, -1, 0, NOW_MS, Long.MAX_VALUE}) {
      windows.add(HostileOutput.NAME, timeMs);
      windows.add("", timeMs);
    }
    windows.look(new LogReader(List.of(record)), ValueFormat.BARE, record.topic());
    for (long timeMs : new long[] {Long.MIN_VALUE, -1, 0, NOW_MS, Long.MAX_VALUE}) {
      windows.isOfAnotherLife(PARTITION, HostileOutput.NAME, timeMs);
      windows.isOfAnotherLife(PARTITION, "", timeMs);
    }
    PublishedWindows.read(
        new LogReader(List.of(record)),
        ValueFormat.BARE,
        new TopicPartition(record.topic(), PARTITION),
        HostileOutput.SIZE_MS,
        List.of(),
        (window, offset) -> assertThat(offset).isZero());
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    if (topic.equals(Topic.CONTROL.defaultName())) {
      order(record);
    } else if (topic.equals(Topic.LATE.defaultName())
        || topic.equals(Topic.DEAD_LETTERS.defaultName())) {
      RedriveRecord letter = new RedriveRecord(record);
      letter.originBatch();
      letter.sequencedBatch();
      letter.gap();
      letter.reason();
      letter.isReadBy(running, Topic.READINGS.defaultName());
      splitter.batchOf(record);
      splitter.open(letter, NOW_MS, 1 << 20, true);
    } else if (topic.equals(TopicNames.redriven(Topic.DEAD_LETTERS.defaultName()))) {
      RedrivenOffsets marks = new RedrivenOffsets(TOPIC_ID);
      try {
        marks.add(Protobuf.read(RedriveMark.getDefaultInstance(), record.value()), 1_000);
      } catch (UndecodableException e) {
        return; // No mark.
      }
      assertThat(marks.blocks()).isLessThanOrEqualTo(1);
    }
  }

  private static void order(ConsumerRecord<byte[], byte[]> record) {
    LogReader reader = new LogReader(List.of(record));
    reader.updatePartitions(
        record.topic(), List.of(new PartitionInfo(record.topic(), PARTITION, null, null, null)));
    AcceptedLosses losses = new AcceptedLosses(record.topic(), () -> reader);
    for (AcceptedLoss loss : losses.of(HostileOutput.NAME, TOPIC_ID, 1)) {
      Gap.of(loss).covers(new Gap(Life.NONE, 0, 1));
      LeftWindows.of(loss).contains(HostileOutput.NAME, NOW_MS);
    }
  }

  private static ConsumerRecord<byte[], byte[]> record(HostileOutput forged) {
    boolean isOrder = forged.topic().equals(Topic.CONTROL.defaultName());
    return forged.read(isOrder ? 0 : PARTITION, 0, NOW_MS);
  }
}

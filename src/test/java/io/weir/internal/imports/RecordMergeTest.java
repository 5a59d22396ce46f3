package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordMergeTest {
  private static final TopicPartition A = new TopicPartition("raw", 0);
  private static final TopicPartition B = new TopicPartition("raw", 1);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private long nanos;
  private final RecordMerge merge = new RecordMerge(consumer, Duration.ofSeconds(5), () -> nanos);

  @BeforeEach
  void assign() {
    consumer.assign(List.of(A, B));
    consumer.updateBeginningOffsets(Map.of(A, 0L, B, 0L));
    consumer.updateEndOffsets(Map.of(A, 2L, B, 2L));
    consumer.seekToBeginning(List.of(A, B));
    merge.assigned(List.of(A, B));
  }

  @Test
  void oldestFirst_andAPartitionWithMoreRecordsIsWaitedFor() {
    add(A, 0, 10);
    add(A, 1, 30);
    poll();
    assertThat(merge.peek()).isNull();
    assertThat(merge.lags()).isEqualTo(Map.of(A, 2L, B, 2L));

    add(B, 0, 20);
    poll();
    assertThat(next()).isEqualTo(10);
    assertThat(next()).isEqualTo(20);
    assertThat(merge.peek()).isNull();

    consumer.updateEndOffsets(Map.of(B, 1L));
    poll();
    assertThat(next()).isEqualTo(30);
    assertThat(merge.isEmpty()).isTrue();
  }

  @Test
  void waitIsBounded() {
    add(A, 0, 10);
    nanos = Duration.ofSeconds(5).toNanos() - 1;
    poll();
    assertThat(merge.peek()).isNull();
    nanos++;
    poll();
    assertThat(next()).isEqualTo(10);
  }

  @Test
  void partitionWithManyRecords_isPaused_untilTheyAreTaken() {
    consumer.updateEndOffsets(Map.of(B, 0L));
    for (int i = 0; i < Import.FULL_POLL; i++) {
      add(A, i, i);
    }
    poll();
    assertThat(consumer.paused()).containsExactly(A);
    next();
    poll();
    assertThat(consumer.paused()).isEmpty();
  }

  /** 30,000 headers without name and value take 3.84 MB, and nothing of a record's size. */
  @Test
  void headersOfWaitingRecords_countInTheirBytes() {
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < 30_000; i++) {
      headers.add("", null);
    }
    consumer.updateEndOffsets(Map.of(A, 100L));
    for (int i = 0; i < 4; i++) {
      add(A, i, i, headers);
      poll();
      assertThat(consumer.paused()).isEmpty();
    }
    add(A, 4, 4, headers);
    poll();
    assertThat(consumer.paused()).containsExactly(A);
  }

  @Test
  void recordsOfARevokedPartition_areForgotten_andOffsetsAreThoseThatWereTaken() {
    add(A, 0, 10);
    add(B, 0, 20);
    add(B, 1, 40);
    consumer.updateEndOffsets(Map.of(A, 1L, B, 2L));
    poll();
    next();
    next();
    Map<TopicPartition, OffsetAndMetadata> read =
        Map.of(A, new OffsetAndMetadata(1), B, new OffsetAndMetadata(1));
    assertThat(merge.offsets(read)).isEqualTo(read);
    consumer.seek(A, 3);
    assertThat(merge.offsets(read))
        .as("behind the markers of a transaction")
        .containsEntry(A, new OffsetAndMetadata(3))
        .containsEntry(B, new OffsetAndMetadata(1));
    merge.revoked(List.of(B));
    assertThat(merge.isEmpty()).isTrue();
  }

  private void poll() {
    merge.add(consumer.poll(Duration.ZERO));
  }

  private long next() {
    long timestamp = merge.peek().timestamp();
    merge.remove();
    return timestamp;
  }

  private void add(TopicPartition partition, long offset, long timestamp) {
    add(partition, offset, timestamp, new RecordHeaders());
  }

  private void add(TopicPartition partition, long offset, long timestamp, RecordHeaders headers) {
    consumer.addRecord(
        new ConsumerRecord<>(
            partition.topic(),
            partition.partition(),
            offset,
            timestamp,
            TimestampType.CREATE_TIME,
            1,
            1,
            new byte[1],
            new byte[1],
            headers,
            Optional.empty()));
  }
}

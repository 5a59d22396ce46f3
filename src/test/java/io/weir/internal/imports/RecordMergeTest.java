package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordMergeTest {
  private static final TopicPartition A = new TopicPartition("raw", 0);
  private static final TopicPartition B = new TopicPartition("raw", 1);

  private static final TopicPartition C = new TopicPartition("raw", 2);

  private static final long NOW = 1_764_201_600_000L;

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
    for (int i = 0; i < 3; i++) {
      add(A, i, i, headers);
      poll();
      assertThat(consumer.paused()).isEmpty();
    }
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
    merge.poll(Duration.ZERO);
  }

  private long next() {
    long timestamp = merge.peek().timestamp();
    merge.remove();
    return timestamp;
  }

  /** Each of 100 partitions has three records of 4 MiB, and one of them is always missing. */
  @Test
  void manyPartitions_haveOneBound_andTheirOrder() {
    List<TopicPartition> all =
        IntStream.range(0, 100).mapToObj(each -> new TopicPartition("raw", each)).toList();
    Map<TopicPartition, Long> begins = new HashMap<>();
    Map<TopicPartition, Long> ends = new HashMap<>();
    all.forEach(each -> begins.put(each, 0L));
    all.forEach(each -> ends.put(each, 3L));
    merge.revoked(List.of(A, B));
    consumer.assign(all);
    consumer.updateBeginningOffsets(begins);
    consumer.updateEndOffsets(ends);
    consumer.seekToBeginning(all);
    merge.assigned(all);
    byte[] large = new byte[4 << 20];
    List<Long> taken = new ArrayList<>();
    for (int poll = 0; taken.size() < 300; poll++) {
      TopicPartition each = all.get(poll % 100);
      long next = consumer.position(each);
      if (next < 3) {
        consumer.addRecord(
            record(each, next, next * 100 + poll * 37 % 100, large, new RecordHeaders()));
      }
      poll();
      assertThat(merge.bytes()).isLessThan(RecordMerge.MAX_BYTES + (5 << 20));
      while (merge.peek() != null) {
        taken.add(next());
      }
    }
    assertThat(taken).isSorted();
  }

  /** Whoever writes to A dates its records 1970, and writes more than is read. */
  @ParameterizedTest
  @ValueSource(longs = {0, 500, 1_000})
  void backdatedRecords_holdNobodyUpForLong(long advanceMs) {
    consumer.updateEndOffsets(Map.of(A, 1_000L, B, 100L));
    for (int i = 0; i < 100; i++) {
      add(B, i, NOW + i);
    }
    int ofA = 0;
    int ofB = 0;
    for (int poll = 0; ofB < 100; poll++) {
      for (int i = 0; i < 10; i++) {
        add(A, poll * 10L + i, poll * advanceMs);
      }
      consumer.updateEndOffsets(Map.of(A, Math.max(1_000L, poll * 20L)));
      nanos += Duration.ofMillis(500).toNanos();
      poll();
      while (merge.peek() != null) {
        ofA += merge.peek().partition() == 0 ? 1 : 0;
        ofB += merge.peek().partition() == 1 ? 1 : 0;
        merge.remove();
      }
      assertThat(ofB > 0 || ofA <= 1_010).as("records of A before one of B").isTrue();
    }
    assertThat(ofA).isLessThan(advanceMs > 0 ? 1_200 : 350);
  }

  /** A and C belong to one writer, who dates their records 1970. */
  @Test
  void twoPartitionsOfTheSameTime_holdNobodyUpForLong() {
    assignThree();
    add(B, 0, NOW);
    for (int i = 0; merge.peek() == null || merge.peek().partition() != 1; i++) {
      assertThat(i).as("polls until B gets on").isLessThan(40);
      add(A, i, 0);
      add(C, i, 0);
      nanos += Duration.ofMillis(500).toNanos();
      poll();
      while (merge.peek() != null && merge.peek().partition() != 1) {
        merge.remove();
      }
    }
  }

  private void assignThree() {
    consumer.assign(List.of(A, B, C));
    consumer.updateBeginningOffsets(Map.of(C, 0L));
    consumer.updateEndOffsets(Map.of(A, 10_000L, B, 10_000L, C, 10_000L));
    consumer.seekToBeginning(List.of(A, B, C));
    merge.assigned(List.of(C));
  }

  /** A and C date their records 1970. Those of A are two hundred times as large. */
  @Test
  void largeRecords_slowDownNoSmallOnes() {
    assignThree();
    for (int i = 0; i < 300; i++) {
      add(B, i, NOW + i);
    }
    int offset = 0;
    while (offset < 100 && (merge.peek() == null || merge.peek().partition() != 1)) {
      addTo(A, C, offset++, 1);
      nanos += Duration.ofMillis(500).toNanos();
      poll();
      while (merge.peek() != null && merge.peek().partition() != 1) {
        merge.remove();
      }
    }
    addTo(A, C, offset, 300);
    poll();
    List<Integer> taken = new ArrayList<>();
    while (merge.peek() != null) {
      taken.add(merge.peek().partition());
      merge.remove();
    }
    assertThat(taken).contains(2).endsWith(0, 0, 0);
    assertThat(taken.subList(0, Math.max(taken.lastIndexOf(1), taken.lastIndexOf(2))))
        .filteredOn(each -> each == 0)
        .hasSizeLessThan(5);
  }

  private void addTo(TopicPartition large, TopicPartition small, int offset, int records) {
    for (int i = offset; i < offset + records; i++) {
      consumer.addRecord(record(large, i, 0, new byte[26_000], new RecordHeaders()));
      add(small, i, 0);
    }
  }

  /** After a pause of an hour, A has many records and B has few. */
  @Test
  void partitionThatCatchesUp_staysBeforeTheOthers() {
    consumer.updateEndOffsets(Map.of(A, 36_000L, B, 60L));
    for (int i = 0; i < 60; i++) {
      add(B, i, NOW + i * 60_000L + 1);
    }
    long newest = 0;
    for (int poll = 0; poll < 3_600; poll++) {
      for (int i = 0; i < 10; i++) {
        add(A, poll * 10L + i, NOW + poll * 1_000L + i * 100);
      }
      nanos += Duration.ofMillis(400).toNanos();
      poll();
      while (merge.peek() != null) {
        assertThat(merge.peek().timestamp()).isGreaterThan(newest);
        newest = next();
      }
    }
    assertThat(newest).isEqualTo(NOW + 3_599_900);
  }

  @Test
  void recordAheadOfItsPartition_doesNotHoldUpWhatIsBehindIt() {
    consumer.updateEndOffsets(Map.of(A, 101L, B, 3_000L));
    add(A, 0, NOW + 3_500_000);
    for (int i = 1; i <= 100; i++) {
      add(A, i, NOW + i * 1_000);
    }
    for (int i = 0; i < 3_000; i++) {
      add(B, i, NOW + i * 1_000);
    }
    poll();
    long newestOfB = 0;
    while (merge.peek() != null) {
      boolean ofB = merge.peek().partition() == 1;
      long time = next();
      assertThat(time).isGreaterThan(newestOfB - 10_000);
      newestOfB = ofB ? time : newestOfB;
    }
  }

  /** One record of the past does not draw those before it ahead of the others. */
  @Test
  void recordBehindItsPartition_comesAlone() {
    consumer.updateEndOffsets(Map.of(A, 20L, B, 20L));
    for (int i = 0; i < 20; i++) {
      add(A, i, i == 5 ? 0 : NOW + i * 1_000);
      add(B, i, NOW + i * 1_000 + 500);
    }
    poll();
    List<Long> taken = new ArrayList<>();
    while (merge.peek() != null) {
      taken.add(next());
    }
    taken.remove(0L);
    assertThat(taken).hasSize(39).isSorted();
  }

  /** The registry does not answer for a minute: nobody is to blame. */
  @Test
  void timeInWhichNothingIsTaken_doesNotCount() {
    consumer.updateEndOffsets(Map.of(A, 20L, B, 20L));
    for (int i = 0; i < 20; i++) {
      add(A, i, NOW + i * 1_000);
      add(B, i, NOW + 19_500);
    }
    poll();
    next();
    for (int i = 0; i < 60; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      poll();
    }
    for (int i = 1; i < 20; i++) {
      assertThat(next()).isEqualTo(NOW + i * 1_000);
    }
  }

  private void add(TopicPartition partition, long offset, long timestamp) {
    add(partition, offset, timestamp, new RecordHeaders());
  }

  private void add(TopicPartition partition, long offset, long timestamp, RecordHeaders headers) {
    consumer.addRecord(record(partition, offset, timestamp, new byte[1], headers));
  }

  private static ConsumerRecord<byte[], byte[]> record(
      TopicPartition partition, long offset, long timestamp, byte[] value, RecordHeaders headers) {
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        offset,
        timestamp,
        TimestampType.CREATE_TIME,
        1,
        value.length,
        new byte[1],
        value,
        headers,
        Optional.empty());
  }
}

package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class TailReaderTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);
  private static final int RECORDS = 100;

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final TailReader reader = new TailReader(consumer, List.of(PARTITION));

  private List<Long> newest(int most, long mostBytes) {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, (long) RECORDS));
    consumer.schedulePollTask(
        () -> {
          for (long offset = 0; offset < RECORDS; offset++) {
            consumer.addRecord(
                new ConsumerRecord<>(
                    "t",
                    0,
                    offset,
                    offset,
                    TimestampType.CREATE_TIME,
                    0,
                    1_000,
                    new byte[0],
                    new byte[1_000],
                    new RecordHeaders(),
                    Optional.empty()));
          }
        });
    return reader.newest(new TailReader.Start.Beginning(), most, mostBytes, any -> true).stream()
        .map(ConsumerRecord::offset)
        .toList();
  }

  @Test
  void newest_ofManyBytes_areFewer_andThatIsKnown() {
    assertThat(newest(50, 4_000)).containsExactly(97L, 98L, 99L);
    assertThat(reader.hasLeftOut()).isTrue();
  }

  @Test
  void newest_isOneThatIsLargerThanAllMayBe() {
    assertThat(newest(50, 10)).containsExactly(99L);
    assertThat(reader.hasLeftOut()).isTrue();
  }

  @Test
  void newest_thatFit_areAll() {
    assertThat(newest(50, 1 << 20)).hasSize(50);
    assertThat(reader.hasLeftOut()).isFalse();
  }
}

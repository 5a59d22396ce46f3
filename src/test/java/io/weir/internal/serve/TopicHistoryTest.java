package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.serve.memory.Memory.History;
import io.weir.internal.serve.memory.Stored;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicHistoryTest {
  private static final TopicPartition PARTITION = new TopicPartition("weir.windows", 7);
  private static final int POLLS = 20;
  private static final int RECORDS_OF_A_POLL = 1_000;

  /** A hostile gateway has millions of windows of a few bytes, and a reader asks for them. */
  @Test
  void smallRecordsOfOneSensor_countWithTheMemoryThatTheyTake() {
    byte[] value = WindowSummary.newBuilder().setCount(1).build().toByteArray();
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("none") {
          @Override
          public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
              Map<TopicPartition, Long> times) {
            return Map.of(PARTITION, new OffsetAndTimestamp(0, 0));
          }
        };
    consumer.updateEndOffsets(Map.of(PARTITION, (long) POLLS * RECORDS_OF_A_POLL));
    for (int poll = 0; poll < POLLS; poll++) {
      long first = (long) poll * RECORDS_OF_A_POLL;
      consumer.schedulePollTask(
          () -> {
            for (long at = first; at < first + RECORDS_OF_A_POLL; at++) {
              consumer.addRecord(
                  new ConsumerRecord<>(
                      PARTITION.topic(), 7, at, "s".getBytes(StandardCharsets.UTF_8), value));
            }
          });
    }
    TopicHistory history = new TopicHistory(() -> consumer, Topic::defaultName, 1 << 20);

    History<Stored> found = history.scan(Topic.WINDOWS, 7, "s", 0);

    assertThat(found.complete()).isFalse();
    assertThat(found.rows()).hasSizeBetween(1_000, 6_000);
  }
}

package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.serve.memory.Memory.History;
import io.weir.internal.serve.memory.Stored;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions about older windows read a topic within bytes, two at a time. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class TopicHistoryLimitsTest {
  private static final TopicPartition PARTITION = new TopicPartition("weir.windows", 7);
  private static final int RECORDS = 100;

  /** A topic with windows of a and b in turn, which a poll returns ten at a time. */
  private static final class Log extends MockConsumer<byte[], byte[]> {
    Log() {
      super("earliest");
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
      super.assign(partitions);
      updateBeginningOffsets(Map.of(PARTITION, 0L));
      updateEndOffsets(Map.of(PARTITION, (long) RECORDS));
      for (int i = 0; i < RECORDS; i++) {
        String id = i % 2 == 0 ? "a" : "b";
        byte[] value =
            WindowSummary.newBuilder().setSensorId(id).setWindowStartMs(i).build().toByteArray();
        byte[] key = id.getBytes(StandardCharsets.UTF_8);
        addRecord(
            new ConsumerRecord<>(
                PARTITION.topic(),
                7,
                i,
                i,
                TimestampType.LOG_APPEND_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty()));
      }
      setMaxPollRecords(10);
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> times) {
      return Map.of(PARTITION, new OffsetAndTimestamp(0, 0));
    }
  }

  private static TopicHistory history(Supplier<Consumer<byte[], byte[]>> consumers, long bytes) {
    return new TopicHistory(consumers, topic -> PARTITION.topic(), bytes);
  }

  @Test
  void withinItsBytes_allWindowsOfTheSensor_newestFirst() {
    History<Stored> found = history(Log::new, 1 << 20).scan(Topic.WINDOWS, 7, "a", 0);

    assertThat(found.complete()).isTrue();
    assertThat(found.rows()).hasSize(RECORDS / 2);
    assertThat(found.rows().get(0).offset()).isEqualTo(98);
  }

  @Test
  void beyondItsBytes_isNotComplete_andSaysHowMuchWasRead() {
    TopicHistory history = history(Log::new, 1);
    History<Stored> found = history.scan(Topic.WINDOWS, 7, "a", 0);

    assertThat(found.complete()).isFalse();
    assertThat(found.rows()).hasSize(5);
    assertThat(history.scannedBytes()).isPositive();
  }

  @Test
  void thirdQuestionAtATime_isToComeLater() {
    CountDownLatch opened = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    TopicHistory history =
        history(
            () -> {
              opened.countDown();
              await(go);
              return new Log();
            },
            1 << 20);
    CompletableFuture<?>[] two = new CompletableFuture<?>[2];
    for (int i = 0; i < 2; i++) {
      two[i] = CompletableFuture.runAsync(() -> history.scan(Topic.WINDOWS, 7, "a", 0), this::run);
    }
    await(opened);
    assertThatThrownBy(() -> history.scan(Topic.WINDOWS, 7, "a", 0))
        .isInstanceOfSatisfying(Problem.class, e -> assertThat(e.reply().status()).isEqualTo(503));
    go.countDown();
    CompletableFuture.allOf(two).join();
    assertThat(history.scan(Topic.WINDOWS, 7, "b", 0).rows()).hasSize(RECORDS / 2);
  }

  @Test
  void brokersThatDoNotAnswer_areAnAnswer() {
    TopicHistory history =
        history(
            () -> {
              throw new KafkaException("away");
            },
            1);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> history.scan(Topic.WINDOWS, 7, "a", 0))
          .isInstanceOfSatisfying(
              Problem.class, e -> assertThat(e.reply().status()).isEqualTo(503));
    }
  }

  private void run(Runnable task) {
    new Thread(task, "question").start();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** The committed windows of a finished work, compared with a plain pass. */
public final class PassedWindows {
  private static final Duration POLL = Duration.ofMillis(200);

  private PassedWindows() {}

  /**
   * Says what a work lost, for the table.
   *
   * @param windows topic of its windows
   * @param late readings that it says came too late
   * @throws IllegalStateException if a window is doubled or wrong, or if what windows lack is not
   *     what came too late
   */
  public static Figures figures(Task task, String windows, long late) {
    SubjectWindowCheck check =
        new SubjectWindowCheck(
            PlainPass.over(task.bootstrapServers(), task.topic()), task.closing());
    try (KafkaConsumer<byte[], byte[]> consumer =
        CommittedConsumer.of(task.bootstrapServers(), windows)) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          check.take(WindowSummary.parseFrom(record.value()));
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(windows + " cannot be read", e);
    }
    Comparison comparison = check.comparison();
    if (!comparison.isOnce() || comparison.lostReadings() != late) {
      throw new IllegalStateException(late + " readings were late, but: " + comparison);
    }
    return comparison.figures().with(Figure.DROPPED_PERCENT, 100.0 * late / task.readings());
  }
}

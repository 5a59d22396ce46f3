package io.weir.internal.app;

import io.weir.internal.topology.ControlLog;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reports the result of a reset order in each partition, from the log only: a mark is skipped if
 * the mark of a later order for the same gateway precedes it. Created before the order is written,
 * because marks of later orders come after the ends of the partitions at that time. One thread.
 */
public final class ResetReport {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int POLLS_WITHOUT_RECORDS = 40;

  private final String readings;
  private final Consumer<byte[], byte[]> reader;
  private final Map<TopicPartition, Long> before;

  /**
   * @param readings the topic with the marks
   * @param reader a consumer without a group; the caller closes it
   */
  public ResetReport(String readings, Consumer<byte[], byte[]> reader) {
    this.readings = readings;
    this.reader = reader;
    List<TopicPartition> partitions =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(readings, partition))
            .toList();
    reader.assign(partitions);
    this.before = Map.copyOf(reader.endOffsets(partitions));
  }

  /**
   * The partitions in which an order is skipped, and the later order that was executed there.
   *
   * @throws KafkaException if the partitions cannot be read
   */
  public Map<Integer, Long> skipped(
      GatewayResets.Given given, String gatewayId, ControlLog control) {
    Map<Integer, Long> skipped = new TreeMap<>();
    before.forEach(reader::seek);
    Set<TopicPartition> left = new TreeSet<>(ResetReport::byNumber);
    left.addAll(before.keySet());
    int without = 0;
    while (!left.isEmpty()) {
      ConsumerRecords<byte[], byte[]> records = reader.poll(POLL);
      without = records.isEmpty() ? without + 1 : 0;
      if (without > POLLS_WITHOUT_RECORDS) {
        throw new TimeoutException("could not read " + left);
      }
      for (ConsumerRecord<byte[], byte[]> record : records) {
        long order = laterOrder(record, given, gatewayId, control);
        if (order > given.order()) {
          skipped.merge(record.partition(), order, Math::max);
        }
      }
      left.removeIf(each -> reader.position(each) >= given.marks().get(each.partition()));
      reader.pause(before.keySet().stream().filter(each -> !left.contains(each)).toList());
    }
    return skipped;
  }

  private static int byNumber(TopicPartition one, TopicPartition other) {
    return Integer.compare(one.partition(), other.partition());
  }

  private static long laterOrder(
      ConsumerRecord<byte[], byte[]> record,
      GatewayResets.Given given,
      String gatewayId,
      ControlLog control) {
    if (record.offset() >= given.marks().get(record.partition())
        || !ResetMark.is(record.value(), record.headers())) {
      return -1;
    }
    Optional<ResetMark> mark = ResetMark.read(record.headers());
    return mark.filter(each -> each.offset() > given.order())
        .flatMap(control::gatewayToReset)
        .filter(gatewayId::equals)
        .map(same -> mark.orElseThrow().offset())
        .orElse(-1L);
  }

  /**
   * The partitions in which an application has not reached an order's mark.
   *
   * @throws KafkaException if the brokers do not answer
   */
  public Set<Integer> ahead(GatewayResets.Given given, Admin admin, String applicationId) {
    try {
      Map<TopicPartition, OffsetAndMetadata> committed =
          admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata().get();
      Set<Integer> ahead = new TreeSet<>();
      given
          .marks()
          .forEach(
              (partition, mark) -> {
                OffsetAndMetadata next = committed.get(new TopicPartition(readings, partition));
                if (next == null || next.offset() <= mark) {
                  ahead.add(partition);
                }
              });
      return ahead;
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException ofKafka
          ? ofKafka
          : new KafkaException(e.getCause());
    }
  }
}

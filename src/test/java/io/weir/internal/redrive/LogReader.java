package io.weir.internal.redrive;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads one partition that is a list in memory: a record's offset is its place in it. All others
 * are empty.
 */
public final class LogReader extends MockConsumer<byte[], byte[]> {
  private final List<ConsumerRecord<byte[], byte[]>> log;

  public LogReader(List<ConsumerRecord<byte[], byte[]>> log) {
    super("earliest");
    this.log = log;
  }

  @Override
  public synchronized void assign(Collection<TopicPartition> partitions) {
    super.assign(partitions);
    for (TopicPartition partition : partitions) {
      updateBeginningOffsets(Map.of(partition, 0L));
      updateEndOffsets(Map.of(partition, isOf(partition) ? (long) log.size() : 0L));
    }
  }

  private boolean isOf(TopicPartition partition) {
    return log.isEmpty() || log.get(0).partition() == partition.partition();
  }

  @Override
  public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
      Map<TopicPartition, Long> times) {
    Map<TopicPartition, OffsetAndTimestamp> first = new HashMap<>();
    times.forEach(
        (partition, sinceMs) ->
            log.stream()
                .filter(record -> record.timestamp() >= sinceMs)
                .findFirst()
                .ifPresent(
                    at ->
                        first.put(partition, new OffsetAndTimestamp(at.offset(), at.timestamp()))));
    return first;
  }

  @Override
  public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    TopicPartition partition = assignment().stream().filter(this::isOf).findFirst().orElseThrow();
    int from = (int) position(partition);
    seek(partition, log.size());
    return new ConsumerRecords<>(
        Map.of(partition, List.copyOf(log.subList(from, log.size()))), Map.of());
  }
}

package io.weir.internal.explain;

import io.weir.internal.wire.ResetMark;
import io.weir.topic.Topic;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The topics of another log; tells a listener how far they were read. */
public record WatchedLog(PartitionLog log, Listener listener) implements PartitionLog {
  private static final long STEP_BYTES = 4 << 20;

  /** Is called at the beginning of each topic, and then after some megabytes each. */
  @FunctionalInterface
  public interface Listener {
    void read(Topic topic, long records, long bytes);
  }

  @Override
  public OptionalLong committed(int partition) {
    return log.committed(partition);
  }

  @Override
  public Scan read(
      Topic topic, int partition, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> each) {
    listener.read(topic, 0, 0);
    long[] count = new long[3]; // Records, bytes, and the bytes at the last call.
    return log.read(
        topic,
        partition,
        sinceMs,
        record -> {
          count[0]++;
          count[1] += Math.max(0, record.serializedKeySize() + record.serializedValueSize());
          if (count[1] - count[2] >= STEP_BYTES) {
            count[2] = count[1];
            listener.read(topic, count[0], count[1]);
          }
          return each.test(record);
        });
  }

  @Override
  public Optional<String> gatewayToReset(ResetMark mark) {
    return log.gatewayToReset(mark);
  }
}

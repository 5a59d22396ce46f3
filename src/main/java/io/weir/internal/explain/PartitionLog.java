package io.weir.internal.explain;

import io.weir.internal.wire.ResetMark;
import io.weir.topic.Topic;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The topics that an explanation is read from. For one explanation, in one thread. */
public interface PartitionLog {
  /**
   * The first offset of the readings that the application has not committed; empty if unknown.
   * Asked before anything is read: the outputs of all records before it are on their topics.
   */
  OptionalLong committed(int partition);

  /**
   * Reads committed records of a partition in order, from the first one that was appended at a time
   * or later.
   *
   * @param each returns false to stop
   */
  Scan read(
      Topic topic, int partition, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> each);

  /** The gateway that an operator ordered to reset; empty if there is no such order. */
  Optional<String> gatewayToReset(ResetMark mark);

  /**
   * How much was read.
   *
   * @param beginsMs append time of the oldest record, where records before it were deleted that
   *     might have been needed; empty if there are none
   * @param isWhole false if an open transaction hides records at the end
   */
  record Scan(long fromOffset, long records, long bytes, OptionalLong beginsMs, boolean isWhole) {
    public static final Scan NOTHING = new Scan(0, 0, 0, OptionalLong.empty(), true);
  }
}

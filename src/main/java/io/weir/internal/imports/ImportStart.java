package io.weir.internal.imports;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Where partitions begin that an import never had. Immutable.
 *
 * @param atMs the time of the first record; {@link #EARLIEST} or {@link #LATEST}
 */
public record ImportStart(long atMs) {
  private static final long EARLIEST = Long.MIN_VALUE;
  private static final long LATEST = Long.MAX_VALUE;

  /**
   * The start that a text spells.
   *
   * @throws IllegalArgumentException where it spells none
   */
  public static ImportStart parse(String text) {
    try {
      return switch (text) {
        case "earliest" -> new ImportStart(EARLIEST);
        case "latest" -> new ImportStart(LATEST);
        default -> new ImportStart(Instant.parse(text).toEpochMilli());
      };
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          text + ": expected: earliest, latest or a time such as 2026-11-21T12:00:00Z");
    }
  }

  /** The first offsets to read. */
  Map<TopicPartition, Long> offsets(
      Consumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
    if (atMs == EARLIEST) {
      return consumer.beginningOffsets(partitions);
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    if (atMs == LATEST || partitions.isEmpty()) {
      return ends;
    }
    Map<TopicPartition, OffsetAndTimestamp> found =
        consumer.offsetsForTimes(
            partitions.stream().collect(Collectors.toMap(each -> each, each -> atMs)));
    ends.replaceAll((each, end) -> found.get(each) == null ? end : found.get(each).offset());
    return ends;
  }
}

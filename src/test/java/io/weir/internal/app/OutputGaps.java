package io.weir.internal.app;

import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** How long partitions went without a summary, by append times. */
final class OutputGaps {
  private final List<List<Long>> appendMs = new ArrayList<>();

  /**
   * @param records of any topics, each partition's in order
   */
  OutputGaps(List<ConsumerRecord<byte[], byte[]>> records) {
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      appendMs.add(new ArrayList<>());
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.topic().equals(TopicNames.DEFAULT.windows())) {
        appendMs.get(record.partition()).add(record.timestamp());
      }
    }
  }

  /** The longest gap of each partition that touches a span of time: median and longest. */
  String describe(String phase, long fromMs, long toMs) {
    long[] longest =
        appendMs.stream().mapToLong(times -> longest(times, fromMs, toMs)).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%-32s %6.1f s long; longest gap in a partition's output: median %5.1f s, largest %5.1f s",
        phase,
        (toMs - fromMs) / 1000.0,
        longest[longest.length / 2] / 1000.0,
        Arrays.stream(longest).max().orElseThrow() / 1000.0);
  }

  private static long longest(List<Long> times, long fromMs, long toMs) {
    long longest = 0;
    for (int i = 1; i < times.size(); i++) {
      if (times.get(i) >= fromMs && times.get(i - 1) <= toMs) {
        longest = Math.max(longest, times.get(i) - times.get(i - 1));
      }
    }
    return longest;
  }
}

package io.weir.lab.bench;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a broker has done by a moment.
 *
 * @param bytes that it keeps, by topic
 */
record BrokerMark(long nanos, long cpuNanos, Map<String, Long> bytes) {
  private static final String CHANGELOG = "-changelog";

  static BrokerMark now(ChildJvm broker, Admin admin) {
    return new BrokerMark(System.nanoTime(), broker.cpu().toNanos(), Cluster.bytesByTopic(admin));
  }

  /** What it did since an earlier moment, in which so many readings came. */
  Figures since(BrokerMark earlier, double readings) {
    double cpuNanos = cpuNanos() - earlier.cpuNanos();
    return Figures.of(
        Map.of(
            Figure.BROKER_PROCESSORS,
            cpuNanos / (nanos - earlier.nanos()),
            Figure.BROKER_CPU_SECONDS_PER_MILLION,
            cpuNanos / 1e9 / readings * 1e6));
  }

  /** What was added to a topic. */
  long added(String topic, BrokerMark earlier) {
    return bytes.get(topic) - earlier.bytes().getOrDefault(topic, 0L);
  }

  /** What was added to Kafka's own topics. */
  long internal(BrokerMark earlier) {
    return bytes.keySet().stream()
        .filter(BrokerMark::isInternal)
        .mapToLong(topic -> added(topic, earlier))
        .sum();
  }

  /** What was added to all topics but changelogs: those lose while they grow, to compaction. */
  long withoutChangelogs(BrokerMark earlier) {
    return bytes.keySet().stream()
        .filter(topic -> !topic.endsWith(CHANGELOG))
        .mapToLong(topic -> added(topic, earlier))
        .sum();
  }

  private static boolean isInternal(String topic) {
    return topic.startsWith("__");
  }
}

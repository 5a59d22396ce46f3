package io.weir.internal.imports;

import io.weir.internal.app.WaitLog;
import io.weir.internal.time.MonotonicClock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.LoggerFactory;

/**
 * What an import has committed, what it waits for, and how far it is behind. One thread writes, any
 * thread reads.
 */
public final class ImportStatus {
  private final WaitLog waits =
      new WaitLog(LoggerFactory.getLogger(Import.class), "its partitions");
  private final Map<String, ImportCounts> counts = new ConcurrentHashMap<>();
  private volatile Map<TopicPartition, Long> lags = Map.of();
  private volatile long successMs = MonotonicClock.millis();
  private volatile long commits;
  private volatile long commitNanos;

  /**
   * Nothing was committed yet.
   *
   * @param sources topics whose records are counted from the start
   */
  public static ImportStatus of(Collection<String> sources) {
    ImportStatus status = new ImportStatus();
    sources.forEach(each -> status.counts.put(each, ImportCounts.NONE));
    return status;
  }

  void committed(Map<String, ImportCounts> byTopic, Duration took) {
    byTopic.forEach((topic, more) -> counts.merge(topic, more, ImportCounts::plus));
    commitNanos += took.toNanos();
    commits++;
    succeeded(MonotonicClock.millis());
  }

  /**
   * It had committed all.
   *
   * @param ms when the brokers last answered, by the monotonic clock
   */
  void succeeded(long ms) {
    successMs = Math.max(successMs, ms);
  }

  void lags(Map<TopicPartition, Long> records) {
    lags = Map.copyOf(records);
  }

  WaitLog waits() {
    return waits;
  }

  /** The topics of which records are counted. */
  public Set<String> topics() {
    return counts.keySet();
  }

  /** What was committed of a topic. */
  public ImportCounts of(String topic) {
    return counts.getOrDefault(topic, ImportCounts.NONE);
  }

  /** What was committed of all topics. */
  public ImportCounts total() {
    return counts.values().stream().reduce(ImportCounts.NONE, ImportCounts::plus);
  }

  /** Records of its partitions that are not committed yet. */
  public Map<TopicPartition, Long> lags() {
    return lags;
  }

  /** Committed transactions. */
  public long commits() {
    return commits;
  }

  /** The time that they took. */
  public long commitNanos() {
    return commitNanos;
  }

  /** Time since it committed or had nothing to do, in milliseconds. */
  public long stalledMs() {
    return Math.max(0, MonotonicClock.millis() - successMs);
  }
}

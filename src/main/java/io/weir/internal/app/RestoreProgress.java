package io.weir.internal.app;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** The progress of state restoration, without standbys. Safe for many threads. */
public final class RestoreProgress implements StateRestoreListener {
  private final Map<TopicPartition, Progress> underWay = new ConcurrentHashMap<>();
  private final Runnable onMove;

  /**
   * @param onMove called after each progress
   */
  RestoreProgress(Runnable onMove) {
    this.onMove = onMove;
  }

  private record Progress(long next, long end) {
    long remaining() {
      return Math.max(0, end - next);
    }
  }

  /** Partitions whose state is being restored. */
  public int partitions() {
    return underWay.size();
  }

  /** Changelog offsets left to restore. */
  public long remaining() {
    return underWay.values().stream().mapToLong(Progress::remaining).sum();
  }

  /** Forgets all restorations: a dead thread has not reported their end. */
  void done() {
    underWay.clear();
  }

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
    underWay.put(changelog, new Progress(start, end));
  }

  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
    onMove.run();
    underWay.computeIfPresent(
        changelog, (partition, progress) -> new Progress(last + 1, progress.end()));
  }

  @Override
  public void onRestoreEnd(TopicPartition changelog, String store, long records) {
    underWay.remove(changelog);
  }

  @Override
  public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
    underWay.remove(changelog);
  }
}

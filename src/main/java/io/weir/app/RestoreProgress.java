package io.weir.app;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * How far the state that is being restored has come. Standbys, which nobody waits for, are not
 * among it. Safe for many threads.
 */
public final class RestoreProgress implements StateRestoreListener {
  private final Map<TopicPartition, Progress> underWay = new ConcurrentHashMap<>();
  private final Runnable onMove;

  /**
   * @param onMove is called when something was read
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

  /** Changelog offsets that they still have to pass. */
  public long remaining() {
    return underWay.values().stream().mapToLong(Progress::remaining).sum();
  }

  /** Stops waiting: a thread that died has not reported where it stopped. */
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

package io.weir.internal.topology;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How far this process has come with the partitions of its input topics. Safe for many threads; a
 * call costs a few volatile reads for each partition there can be.
 */
public final class Progress {
  private final LongSupplier elapsedMs;
  private final Map<String, InputProgress> byTopic = new ConcurrentHashMap<>();
  private volatile long movedMs;

  /**
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   */
  public Progress(LongSupplier elapsedMs) {
    this.elapsedMs = elapsedMs;
    moved();
  }

  /** How far it has come with an input topic: the same at each call. */
  public InputProgress input(String topic) {
    return byTopic.computeIfAbsent(topic, any -> new InputProgress(elapsedMs, this::moved));
  }

  /** The process got on with something: it committed, or there is nothing for it to do. */
  public void moved() {
    movedMs = elapsedMs.getAsLong();
  }

  /** Partitions whose tasks run here, of all inputs. */
  public int partitions() {
    return inputs().stream().mapToInt(InputProgress::partitions).sum();
  }

  /**
   * For how long the partition that waits for longest has not been committed; of a process without
   * partitions, for how long nothing has moved. As a silent partition gets a tick every {@link
   * TickClock#HEARTBEAT_MS}, more than that and a commit interval means that something has stalled.
   */
  public long commitAgeMs() {
    long oldestMs = movedMs;
    for (InputProgress input : inputs()) {
      oldestMs = Math.min(oldestMs, input.oldestCommitMs());
    }
    return Math.max(0, elapsedMs.getAsLong() - oldestMs);
  }

  private Collection<InputProgress> inputs() {
    return byTopic.values();
  }
}

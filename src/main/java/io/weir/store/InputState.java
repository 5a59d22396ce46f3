package io.weir.store;

import org.apache.kafka.common.Uuid;

/**
 * The state of a task that reads one partition: it knows how far it has come there, so that it can
 * be told from a state that belongs to other records.
 */
public interface InputState extends HeapState {
  /** How far the state has come. */
  InputPosition position();

  /**
   * A record is about to be applied.
   *
   * @param appendMs its append time
   * @param topicId of the topic that it stands on; {@link Uuid#ZERO_UUID} where that is not known
   * @return how far its append time is behind that of the record before, in milliseconds
   */
  default long observe(long appendMs, long offset, Uuid topicId) {
    return position().observe(appendMs, offset, topicId);
  }

  /** Whether something waits for time to pass: then ticks are asked for. */
  boolean awaitsTime();

  @Override
  default long appendMs() {
    return position().time().appendMs();
  }
}

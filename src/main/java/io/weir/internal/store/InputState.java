package io.weir.internal.store;

import io.weir.internal.deadletter.RunningLife;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * The state of a task that reads one partition: it knows how far it has come there, which
 * distinguishes it from a state that belongs to other records.
 */
public interface InputState extends HeapState {
  /** Nothing is due at a known time. */
  long NEVER = Long.MAX_VALUE;

  /** How far the state has come. */
  InputPosition position();

  /**
   * Records were deleted before they were read; the next one that is applied is the first that is
   * left, or behind it. Called before {@link #observe}.
   *
   * @param records how many offsets, from the end of the state on
   * @param wereApplied whether a state that was lost had applied them
   * @param appendMs append time of the next record
   */
  default void deletedUnread(long records, boolean wereApplied, long appendMs) {}

  /**
   * A record is about to be applied.
   *
   * @param appendMs its append time
   * @param topicId of the topic that it is on; {@link Uuid#ZERO_UUID} where that is not known
   * @return how far its append time is behind that of the record before, in milliseconds
   */
  default long observe(long appendMs, long offset, Uuid topicId) {
    return position().observe(appendMs, offset, topicId);
  }

  /**
   * Whether something waits for time to pass, and it is enough to look at it now and then: a tick
   * is asked for each time that nothing has come for a while.
   */
  boolean awaitsTime();

  /**
   * Append time at which something is due, in milliseconds, or {@link #NEVER}: a tick is asked for
   * when it has come, and every second until the state says another time. Asked after each record:
   * costs no more than a field.
   */
  default long dueMs() {
    return NEVER;
  }

  /** Its life, which its records carry; empty where they carry none, or it has read nothing. */
  default Optional<RunningLife> runningLife() {
    return Optional.empty();
  }

  @Override
  default long appendMs() {
    return position().time().appendMs();
  }
}

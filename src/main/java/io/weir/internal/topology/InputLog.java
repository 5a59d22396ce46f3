package io.weir.internal.topology;

import io.weir.internal.store.StateMismatchException;
import java.util.OptionalLong;
import org.apache.kafka.common.Uuid;

/**
 * The topic of readings as the brokers have it: answers whether the state belongs to it. Called by
 * many stream threads; may ask the brokers.
 */
public interface InputLog {
  /**
   * Offsets that a state lacks, from its end on.
   *
   * @param offsets how many; 0 for none
   * @param wereApplied whether a state that was lost had applied them, and may have published their
   *     windows; otherwise they were deleted before they were read
   */
  record Missing(long offsets, boolean wereApplied) {
    /** The state lacks nothing. */
    public static final Missing NONE = new Missing(0, false);
  }

  /** For a driver without brokers, whose offsets begin again at each start. */
  InputLog UNCHECKED =
      new InputLog() {
        @Override
        public Uuid topicId() {
          return Uuid.ZERO_UUID;
        }

        @Override
        public Missing requireContinues(
            int partition, Uuid stateTopicId, long life, long nextOffset, long offset) {
          return Missing.NONE;
        }
      };

  /** The id of the topic; {@link Uuid#ZERO_UUID} where none is known. */
  Uuid topicId();

  /**
   * Makes sure that nothing is applied twice or left out between a state and the first record that
   * is applied to it, or one that is before the record applied last.
   *
   * @param stateTopicId the topic that the state's last record came from
   * @param life of the state; 0 for none
   * @param nextOffset the offset after its last record, 0 for none
   * @param offset of the record at hand
   * @return the offsets from the next one on that the state lacks. A hole in the offsets, as
   *     markers of transactions leave it, is none
   * @throws ReadElsewhereException if the state is whole, and another record comes next
   * @throws StateMismatchException if the state is not the one that belongs before that record: the
   *     partition is halted then
   */
  Missing requireContinues(
      int partition, Uuid stateTopicId, long life, long nextOffset, long offset);

  /**
   * Append time of the first record that is left behind deleted ones, of all partitions the latest;
   * empty if all begin at offset 0.
   *
   * @param nowMs the time of partitions whose records were all deleted
   */
  default OptionalLong deletedBeforeMs(long nowMs) {
    return OptionalLong.empty();
  }

  /**
   * Whether reading may have gone on behind records that were deleted before they were read: asked
   * for each record, and answered without asking the brokers.
   */
  default boolean mayHaveJumped(int partition) {
    return false;
  }

  /**
   * Whether a partition stands still until a person decides, since its state was lost: no records
   * of it come. Answered without asking the brokers.
   */
  default boolean isHalted(int partition) {
    return false;
  }
}

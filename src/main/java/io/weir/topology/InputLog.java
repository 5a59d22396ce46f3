package io.weir.topology;

import io.weir.store.StateMismatchException;
import org.apache.kafka.common.Uuid;

/**
 * The topic of readings as the brokers have it: answers whether the state belongs to it. Called by
 * many stream threads; may ask the brokers.
 */
public interface InputLog {
  /** For a driver without brokers, whose offsets begin again at each start. */
  InputLog UNCHECKED =
      new InputLog() {
        @Override
        public Uuid topicId() {
          return Uuid.ZERO_UUID;
        }

        @Override
        public void requireContinues(
            int partition, Uuid stateTopicId, long nextOffset, long offset) {}
      };

  /** The id of the topic; {@link Uuid#ZERO_UUID} where none is known. */
  Uuid topicId();

  /**
   * Makes sure that nothing is applied twice or left out between a state and the first record that
   * is applied to it, or one that is before the record applied last.
   *
   * @param stateTopicId the topic that the state's last record came from
   * @param nextOffset the offset after it, 0 for none, or {@link
   *     io.weir.store.InputPosition#UNKNOWN_OFFSET}
   * @param offset of the record at hand
   * @throws StateMismatchException if the state is not the one that belongs before that record
   */
  void requireContinues(int partition, Uuid stateTopicId, long nextOffset, long offset);
}

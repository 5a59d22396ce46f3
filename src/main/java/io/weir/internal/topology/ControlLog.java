package io.weir.internal.topology;

import io.weir.internal.wire.ResetMark;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.KeyDeletion;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * The orders of the operators. The result for a mark never changes, because a mark follows its
 * order and a nonce cannot be guessed: so reprocessing clears the same sequences at the same
 * positions. Called by several stream threads; may block on requests to brokers.
 */
public interface ControlLog {
  /** For a topology without orders. */
  ControlLog NONE =
      new ControlLog() {
        @Override
        public Uuid topicId() {
          return Uuid.ZERO_UUID;
        }

        @Override
        public Optional<String> gatewayToReset(ResetMark mark) {
          return Optional.empty();
        }

        @Override
        public Optional<AcceptedLoss> acceptedLoss(ResetMark mark) {
          return Optional.empty();
        }
      };

  /** The id of the topic that orders are on. */
  Uuid topicId();

  /** The gateway whose sequences the order clears; empty if there is no such order. */
  Optional<String> gatewayToReset(ResetMark mark);

  /** The key of an application with handlers that the order deletes; empty if there is none. */
  default Optional<KeyDeletion> keyToDelete(ResetMark mark) {
    return Optional.empty();
  }

  /** The loss of readings that the order accepts; empty if there is no such order. */
  Optional<AcceptedLoss> acceptedLoss(ResetMark mark);
}

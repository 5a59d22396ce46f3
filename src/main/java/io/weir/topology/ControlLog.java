package io.weir.topology;

import io.weir.wire.ResetMark;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * The orders of the operators. What it says of a mark is the same for ever, for every caller and at
 * any time, since a mark comes after its order and a nonce cannot be guessed: so a replay clears
 * the same sequences at the same places. Called by many stream threads; may ask the brokers, and
 * wait for them.
 */
public interface ControlLog {
  /** For a topology to which nobody gives orders. */
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
      };

  /** The id of the topic that orders are on. */
  Uuid topicId();

  /** The gateway whose sequences the order clears; empty if there is no such order. */
  Optional<String> gatewayToReset(ResetMark mark);
}

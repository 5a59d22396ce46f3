package io.weir.edge;

import java.util.Optional;

/**
 * The result of closing a publisher.
 *
 * @param unsentReadings accepted readings that were not acknowledged, including those on disk; some
 *     of them may be on the topic
 * @param state the state from which the next start sends exactly those readings and continues;
 *     empty if {@code keepIn} has them on disk, or if a journal or an acknowledgement blocked the
 *     publisher's thread long beyond the timeout
 */
public record CloseReport(long unsentReadings, Optional<PublisherState> state) {
  /** Whether all accepted readings are acknowledged. */
  public boolean complete() {
    return unsentReadings == 0;
  }
}

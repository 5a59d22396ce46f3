package io.weir.edge;

import java.util.Optional;

/**
 * What a closed publisher leaves behind.
 *
 * @param unsentReadings accepted readings that were not acknowledged; some of them may stand on the
 *     topic all the same
 * @param state what a next start needs to send exactly those, and go on; empty only where a journal
 *     or an acknowledgement of the caller's held the publisher's thread long beyond the timeout, or
 *     the close was interrupted
 */
public record CloseReport(long unsentReadings, Optional<PublisherState> state) {
  /** Whether everything that was accepted is acknowledged. */
  public boolean complete() {
    return unsentReadings == 0;
  }
}

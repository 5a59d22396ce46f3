package io.weir.edge;

import java.util.Optional;

/**
 * What a closed publisher leaves behind.
 *
 * @param unsentReadings accepted readings that were not acknowledged, those on disk included; some
 *     of them may be on the topic all the same
 * @param state what a next start needs to send exactly those, and go on; empty where {@code keepIn}
 *     has all of it on disk, or where a journal or an acknowledgement of the caller's held the
 *     publisher's thread long beyond the timeout
 */
public record CloseReport(long unsentReadings, Optional<PublisherState> state) {
  /** Whether everything that was accepted is acknowledged. */
  public boolean complete() {
    return unsentReadings == 0;
  }
}

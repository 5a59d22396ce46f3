package io.weir.collect;

import java.util.List;

/**
 * What a transaction of the collector leaves: how far it read, and what is to be sent.
 *
 * @param cursors of each priority
 * @param sequences the last of each channel and partition; not to be changed
 * @param inFlight in the order in which they are sent
 */
record State(long bootId, List<Cursor> cursors, Sequences sequences, List<SentBatch> inFlight) {
  static final int PRIORITIES = 3;

  State {
    cursors = List.copyOf(cursors);
    inFlight = List.copyOf(inFlight);
  }

  static State begin(long bootId) {
    return new State(
        bootId, List.of(Cursor.START, Cursor.START, Cursor.START), Sequences.NONE, List.of());
  }

  /** The same without what was acknowledged. */
  State acknowledged() {
    return new State(bootId, cursors, sequences, List.of());
  }
}

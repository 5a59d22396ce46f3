package io.weir.internal.collect;

import java.util.List;

/**
 * The state that a transaction of the collector commits: its positions, and the batches to send.
 *
 * @param cursors position of each priority
 * @param sequences last sequence of each channel and partition; not to be changed
 * @param inFlight batches in the order in which they are sent
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

  /** Whether a later state cannot have followed from the other one: a boot id only grows. */
  boolean isBefore(State other) {
    if (bootId != other.bootId) {
      return bootId < other.bootId;
    }
    for (int priority = 0; priority < PRIORITIES; priority++) {
      if (cursors.get(priority).compareTo(other.cursors.get(priority)) < 0) {
        return true;
      }
    }
    return sequences.isBefore(other.sequences);
  }

  /** This state after the acknowledgement, without batches in flight. */
  State acknowledged() {
    return new State(bootId, cursors, sequences, List.of());
  }
}

package io.weir.cli;

import io.weir.internal.event.EventColumns;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.Folds;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;

/** Counts the folds of events, with the events' times as log time. One thread. */
final class FoldAnalysis {
  private final Folds folds;
  private final EventDecoder decoder = new EventDecoder(new Limits(2 << 20, 1, 256));
  private long nowMs;
  private long events;
  private long emitted;
  private long reopened;

  FoldAnalysis(FoldSpec spec) {
    folds = new Folds(spec);
  }

  /**
   * Adds an event, unless it is scheduled or a cancellation. Time never goes back: an older event
   * has the time of its predecessor.
   */
  void add(Event event) {
    if (event.getDueMs() != 0 || event.getCancel()) {
      return;
    }
    nowMs = Math.max(nowMs, event.getTimestampMs());
    EventColumns columns;
    try {
      columns = decoder.decode(EventBatch.newBuilder().addEvents(event).build().toByteArray());
    } catch (UndecodableException e) {
      throw new IllegalArgumentException(e); // The caller has validated it.
    }
    folds.endDue(nowMs, Integer.MAX_VALUE, (fold, reason) -> emitted++);
    folds.add(columns, 0, events, nowMs, (fold, reason) -> emitted++);
    events++;
    reopened = folds.reopened();
    folds.written();
  }

  /** Ends the input: emits all folds. */
  void end() {
    emitted += folds.size();
    folds.clear();
  }

  long events() {
    return events;
  }

  long folds() {
    return emitted;
  }

  /** 1 - folds / events; 0 without events. */
  double ratio() {
    return events == 0 ? 0 : 1 - (double) emitted / events;
  }

  /** Keys with a new event within one quiet period after their fold was emitted. */
  long reopened() {
    return reopened;
  }
}

package io.weir.internal.collect;

import io.weir.internal.time.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Updates the metrics of waiting rows. One thread. */
final class Watch {
  private static final long COUNT_EVERY_MS = 10_000;
  private static final long SHORT_MS = 1_000;

  private final Outbox outbox;
  private final CollectStatus status;
  private final XactTimes times = new XactTimes();
  private boolean heldBack;
  private long heldBackSinceMs;
  private long nextCountMs = MonotonicClock.millis();

  Watch(Outbox outbox, CollectStatus status) {
    this.outbox = outbox;
    this.status = status;
  }

  /** Whether rows wait for the end of a transaction; after a while it looks the transaction up. */
  boolean isHeldBack(Connection connection) throws SQLException {
    boolean before = heldBack;
    heldBack = outbox.isHeldBack(connection);
    long nowMs = MonotonicClock.millis();
    if (heldBack && !before) {
      heldBackSinceMs = nowMs;
    }
    boolean lasts = heldBack && nowMs - heldBackSinceMs >= SHORT_MS;
    status.heldBack(lasts ? HeldBack.find(connection) : null);
    return heldBack;
  }

  /** Counts waiting rows periodically. */
  void count(Connection connection, List<Cursor> cursors) throws SQLException {
    long nowMs = MonotonicClock.millis();
    if (nowMs - nextCountMs < 0) {
      return;
    }
    nextCountMs = nowMs + COUNT_EVERY_MS;
    Backlog backlog = Backlog.count(connection, cursors);
    connection.commit();
    times.sample(backlog.nextXact(), nowMs);
    status.behind(
        backlog.rows(),
        backlog.oldestXact() == null ? 0 : times.ageMs(backlog.oldestXact(), nowMs));
  }
}

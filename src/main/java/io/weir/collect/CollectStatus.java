package io.weir.collect;

import io.weir.app.WaitLog;
import io.weir.time.MonotonicClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a collector is: what it waits for, and how far behind it is. One thread sets it, any may ask.
 */
final class CollectStatus {
  private static final Logger LOG = LoggerFactory.getLogger(Collector.class);
  private static final long QUIET_MS = TimeUnit.MINUTES.toMillis(1);
  private static final long HELD_BACK_MS = TimeUnit.SECONDS.toMillis(10);

  private final WaitLog waits = new WaitLog(LOG, "the database");
  private volatile long progressedMs = MonotonicClock.millis();
  private volatile boolean connected;
  private volatile boolean active;
  private volatile long behindRows;
  private volatile long oldestMs;
  private volatile int limitRows;
  private volatile HeldBack heldBack;
  private volatile long heldBackSinceMs;
  private long heldBackLoggedMs;

  /** It looked and had all acknowledged, or it stands by. */
  void progressed() {
    progressedMs = MonotonicClock.millis();
  }

  /** How long ago that was last so, in milliseconds. */
  long stalledMs() {
    return MonotonicClock.millis() - progressedMs;
  }

  void connected(boolean now) {
    connected = now;
  }

  void active(boolean now) {
    active = now;
    if (!now) {
      behindRows = 0;
      oldestMs = 0;
      heldBack = null;
    }
  }

  void behind(long rows, long ageMs) {
    behindRows = rows;
    oldestMs = ageMs;
  }

  void limit(int rows) {
    limitRows = rows;
  }

  /** Rows wait for a transaction, or no more where it is null. */
  void heldBack(HeldBack by) {
    long nowMs = MonotonicClock.millis();
    if (by != null && heldBack == null) {
      heldBackSinceMs = nowMs;
      heldBackLoggedMs = nowMs - QUIET_MS + HELD_BACK_MS;
    }
    heldBack = by;
    if (by != null && nowMs - heldBackLoggedMs >= QUIET_MS) {
      heldBackLoggedMs = nowMs;
      LOG.warn("rows of weir_outbox are held back by {}", by.who());
    }
  }

  /** What it waits for. */
  WaitLog waits() {
    return waits;
  }

  boolean isConnected() {
    return connected;
  }

  boolean isActive() {
    return active;
  }

  long behindRows() {
    return behindRows;
  }

  long oldestMs() {
    return oldestMs;
  }

  int limitRows() {
    return limitRows;
  }

  /** How long rows have been held back by such a thing; 0 where they are not. */
  long heldBackMs(HeldBack.By by) {
    HeldBack now = heldBack;
    return now == null || now.by() != by
        ? 0
        : Math.max(1, MonotonicClock.millis() - heldBackSinceMs);
  }

  /** What holds rows back; empty for nothing. */
  String heldBackBy() {
    HeldBack now = heldBack;
    return now == null ? "" : now.who();
  }
}

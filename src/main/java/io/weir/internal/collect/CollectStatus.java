package io.weir.internal.collect;

import io.weir.internal.app.WaitLog;
import io.weir.internal.time.MonotonicClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status of a collector: the reason for a wait, and its backlog. One thread sets it, any thread
 * may read it.
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
  private volatile long countedMs;
  private volatile long inFlightRows;
  private volatile long inFlightSinceMs;
  private volatile int limitRows;
  private volatile HeldBack heldBack;
  private volatile long heldBackSinceMs;
  private long heldBackLoggedMs;

  /** All rows that were read are acknowledged, or it is a standby. */
  void progressed() {
    progressedMs = MonotonicClock.millis();
  }

  /** Time since the last progress, in milliseconds. */
  long stalledMs() {
    return MonotonicClock.millis() - progressedMs;
  }

  void connected(boolean now) {
    connected = now;
  }

  void active(boolean now) {
    active = now;
    heldBack = now ? heldBack : null;
  }

  /** It knows nothing of the rows: another one is active. */
  void standsBy() {
    active(false);
    behindRows = 0;
    inFlightRows = 0;
  }

  void behind(long rows, long ageMs) {
    behindRows = rows;
    oldestMs = ageMs;
    countedMs = MonotonicClock.millis();
  }

  /** So many of those that waited are in a batch. */
  void taken(long rows) {
    behindRows = Math.max(0, behindRows - rows);
  }

  /** So many rows were sent and are not acknowledged; 0 for none. */
  void inFlight(long rows) {
    inFlightSinceMs = inFlightRows == 0 ? MonotonicClock.millis() : inFlightSinceMs;
    inFlightRows = rows;
  }

  void limit(int rows) {
    limitRows = rows;
  }

  /** Sets the transaction that rows wait for; null if they do not wait. */
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

  /** The reason for a wait. */
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
    return behindRows + inFlightRows;
  }

  /** Grows while nothing is counted. */
  long oldestMs() {
    long nowMs = MonotonicClock.millis();
    long waits = behindRows == 0 ? 0 : oldestMs + nowMs - countedMs;
    return inFlightRows == 0 ? waits : Math.max(waits, nowMs - inFlightSinceMs);
  }

  int limitRows() {
    return limitRows;
  }

  /** Time for which such a transaction has held rows back; 0 if none does. */
  long heldBackMs(HeldBack.By by) {
    HeldBack now = heldBack;
    return now == null || now.by() != by
        ? 0
        : Math.max(1, MonotonicClock.millis() - heldBackSinceMs);
  }

  /** Description of the transaction that holds rows back; empty if none does. */
  String heldBackBy() {
    HeldBack now = heldBack;
    return now == null ? "" : now.who();
  }
}

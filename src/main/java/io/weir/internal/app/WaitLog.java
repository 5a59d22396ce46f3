package io.weir.internal.app;

import io.weir.internal.time.MonotonicClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * The reason for a wait of a service: logged when the wait begins, once a minute, and when it ends.
 * One thread sets it, any thread may read it.
 */
public final class WaitLog {
  private static final long QUIET_MS = TimeUnit.MINUTES.toMillis(1);

  private final Logger log;
  private volatile String waitsFor;
  private boolean troubled;
  private long loggedMs;

  /**
   * Begins.
   *
   * @param first the first reason; not logged
   */
  public WaitLog(Logger log, String first) {
    this.log = log;
    this.waitsFor = first;
  }

  /** Sets the reason for a wait. */
  public void waiting(String what) {
    waitsFor = what;
    long nowMs = MonotonicClock.millis();
    if (!troubled || nowMs - loggedMs >= QUIET_MS) {
      log.warn("waiting: {}", what);
      loggedMs = nowMs;
    }
    troubled = true;
  }

  /** Ends the wait. */
  public void working() {
    waitsFor = "";
    if (troubled) {
      log.info("resumed");
    }
    troubled = false;
  }

  /** The reason; empty without a wait. */
  public String waitsFor() {
    return waitsFor;
  }
}

package io.weir.app;

import io.weir.time.MonotonicClock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * What a service waits for: logged when the wait begins, once a minute, and when it ends. One
 * thread sets it, any may ask.
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
   * @param first what it waits for until it works; not logged
   */
  public WaitLog(Logger log, String first) {
    this.log = log;
    this.waitsFor = first;
  }

  /** Something is missing that comes by itself. */
  public void waiting(String what) {
    waitsFor = what;
    long nowMs = MonotonicClock.millis();
    if (!troubled || nowMs - loggedMs >= QUIET_MS) {
      log.warn("waiting: {}", what);
      loggedMs = nowMs;
    }
    troubled = true;
  }

  /** Nothing is missing. */
  public void working() {
    waitsFor = "";
    if (troubled) {
      log.info("going on");
    }
    troubled = false;
  }

  /** Empty where nothing is missing. */
  public String waitsFor() {
    return waitsFor;
  }
}

package io.weir.internal.input;

/** Counts the requests in flight and the bytes of their bodies. Thread-safe. */
public final class Admission {
  private final int maxRequests;
  private final long maxBytes;
  private int requests;
  private long bytes;
  private boolean closed;

  public Admission(InputLimits limits) {
    this.maxRequests = limits.maxRequests();
    this.maxBytes = limits.maxInflightBytes();
  }

  /** Takes a request; false if there are too many or the edge stops. */
  public synchronized boolean enter() {
    if (closed || requests >= maxRequests) {
      return false;
    }
    requests++;
    return true;
  }

  /** Takes bytes of a request; false if there are too many. */
  public synchronized boolean take(long more) {
    if (bytes + more > maxBytes) {
      return false;
    }
    bytes += more;
    return true;
  }

  /** A request has ended; releases its bytes. */
  public synchronized void leave(long taken) {
    requests--;
    bytes -= taken;
    notifyAll();
  }

  public synchronized int requests() {
    return requests;
  }

  /** Takes no more requests. */
  public synchronized void close() {
    closed = true;
  }

  /** Waits until no request is in flight; false after the timeout. */
  public synchronized boolean awaitNone(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    while (requests > 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}

package io.weir.window;

/** One window of one sensor: an aggregate with its place in time and what was said of it. */
public final class Window extends Aggregate {
  private static final int NEVER_EMITTED = -1;

  private final long startMs;
  private int revision = NEVER_EMITTED;
  private boolean closed;

  /** Something was added since the last emission. */
  private boolean news;

  /** Something changed since it was last written to its durable form. */
  private boolean dirty;

  /** Its durable form is an entry of its own, not a part of its sensor's. */
  private boolean detached;

  Window(long startMs) {
    this.startMs = startMs;
  }

  /**
   * As the getters once gave it.
   *
   * @param emissions how often it was emitted
   * @param detached whether it was read from an entry of its own
   */
  public Window(
      long startMs,
      long count,
      long badCount,
      double sum,
      double compensation,
      double min,
      double max,
      int emissions,
      boolean closed,
      boolean news,
      boolean detached) {
    super(count, badCount, sum, compensation, min, max);
    this.startMs = startMs;
    this.revision = emissions - 1;
    this.closed = closed;
    this.news = news;
    this.detached = detached;
  }

  void take(double value, boolean bad) {
    if (bad) {
      addBad();
    } else {
      add(value);
    }
    news = true;
    dirty = true;
  }

  void close() {
    closed = true;
    dirty = true;
  }

  /** Counts an emission: what is told from now on is told of it. */
  void emitted() {
    revision = Math.incrementExact(revision);
    news = false;
    dirty = true;
  }

  /** First millisecond, since the Unix epoch. */
  public long startMs() {
    return startMs;
  }

  /** Number of the last emission: 0 for the first. */
  public int revision() {
    return revision;
  }

  /** How often it was emitted. */
  public int emissions() {
    return revision + 1;
  }

  public boolean closed() {
    return closed;
  }

  public boolean news() {
    return news;
  }

  public boolean dirty() {
    return dirty;
  }

  public boolean detached() {
    return detached;
  }

  /** Says where it was just written. */
  public void written(boolean inItsOwnEntry) {
    dirty = false;
    detached = inItsOwnEntry;
  }
}

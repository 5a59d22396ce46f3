package io.weir.lab.bench;

/**
 * What a process that tells how many readings it has taken said last, read by a thread of its own.
 */
final class TakenReadings implements AutoCloseable {
  private final ChildJvm process;
  private final Thread thread = new Thread(this::read, "reading");
  private volatile boolean closed;
  private volatile long newest;
  private volatile RuntimeException failure;

  TakenReadings(ChildJvm process) {
    this.process = process;
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    try {
      while (!closed) {
        newest = Long.parseLong(process.line());
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /**
   * @throws RuntimeException if the process has ended
   */
  long newest() {
    RuntimeException why = failure;
    if (why != null) {
      throw why;
    }
    return newest;
  }

  /** The process has been ended, and the thread ends with it. */
  @Override
  public void close() {
    closed = true;
  }
}

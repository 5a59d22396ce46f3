package io.weir.internal.ops;

import io.weir.internal.time.Daemons;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Disconnects clients that do not read: aborts a single write that exceeds a limit, and closes its
 * connection. It limits neither the time between writes nor their total. The JDK's server limits
 * only whole answers, with one value for the process.
 *
 * <p>It interrupts the writing thread, which makes the JDK's channel close the connection. One
 * thread watches; safe for many threads.
 */
final class WriteLimit implements AutoCloseable {
  private final long limitMs;
  private final ScheduledExecutorService watch;

  /**
   * @param limitMs longest duration of a write
   */
  WriteLimit(long limitMs) {
    this.limitMs = limitMs;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(1, Daemons.named("weir-http-limit"));
    executor.setRemoveOnCancelPolicy(true);
    this.watch = executor;
  }

  /** A stream with a limit for each write, flush and close. For one thread at a time. */
  OutputStream limited(OutputStream out) {
    return new LimitedStream(out);
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private void within(Step step) throws IOException {
    Write write = new Write(Thread.currentThread());
    Future<?> end = watch.schedule(write::breakOff, limitMs, TimeUnit.MILLISECONDS);
    try {
      step.run();
    } finally {
      end.cancel(false);
      write.done();
    }
  }

  /** A running write; after its end it interrupts no thread. */
  private static final class Write {
    private final Thread thread;
    private boolean done;
    private boolean brokenOff;

    Write(Thread thread) {
      this.thread = thread;
    }

    synchronized void breakOff() {
      if (!done) {
        brokenOff = true;
        thread.interrupt();
      }
    }

    synchronized void done() throws IOException {
      done = true;
      if (brokenOff) {
        Thread.interrupted(); // The interrupt was for this write only.
        throw new IOException("the client did not read");
      }
    }
  }

  private final class LimitedStream extends FilterOutputStream {
    LimitedStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int single) throws IOException {
      within(() -> out.write(single));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      within(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
      within(out::flush);
    }

    @Override
    public void close() throws IOException {
      within(out::close);
    }
  }
}

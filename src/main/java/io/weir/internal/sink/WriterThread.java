package io.weir.internal.sink;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Writes one batch at a time on its own thread, while the next one is read. All methods are for one
 * thread, which must not use the connection during a write.
 */
final class WriterThread implements AutoCloseable {
  /** A write of a batch. */
  interface Write {
    /**
     * @return as {@link BatchWriter#write}
     */
    Optional<List<Reject>> run() throws SQLException, FencedPartitionsException;
  }

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          0, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), WriterThread::daemon);
  private Batch batch;
  private Future<Optional<List<Reject>>> result;

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "weir-sink-writer");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts to write a batch, which must not be changed before {@link #result}; no write may be
   * running.
   */
  void start(Batch next, Write write) {
    FutureTask<Optional<List<Reject>>> task = new FutureTask<>(write::run);
    batch = next;
    result = task;
    thread.execute(task);
  }

  /** The batch without a fetched result, or null. */
  Batch batch() {
    return batch;
  }

  /** Whether a write is running. */
  boolean isWriting() {
    return result != null && !result.isDone();
  }

  /** Waits for the end of the write. */
  void await() {
    await(Long.MAX_VALUE);
  }

  /** The same, with a timeout. */
  void await(long ms) {
    if (result == null) {
      return;
    }
    try {
      result.get(ms, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // result() returns its result.
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * The result of the ended write.
   *
   * @throws SQLException as {@link BatchWriter#write}
   * @throws FencedPartitionsException as {@link BatchWriter#write}
   */
  Optional<List<Reject>> result() throws SQLException, FencedPartitionsException {
    Future<Optional<List<Reject>>> ended = result;
    batch = null;
    result = null;
    try {
      return ended.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  private static IllegalStateException rethrown(Throwable cause)
      throws SQLException, FencedPartitionsException {
    if (cause instanceof SQLException failure) {
      throw failure;
    }
    if (cause instanceof FencedPartitionsException failure) {
      throw failure;
    }
    if (cause instanceof RuntimeException failure) {
      throw failure;
    }
    if (cause instanceof Error failure) {
      throw failure;
    }
    return new IllegalStateException(cause);
  }

  /** Ends the thread, after its write. */
  @Override
  public void close() {
    thread.shutdown();
  }
}

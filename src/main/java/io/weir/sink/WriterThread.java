package io.weir.sink;

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
 * Writes one batch at a time in a thread of its own, while the next one is read. All methods are
 * for one thread, which leaves the connection alone while a batch is being written.
 */
final class WriterThread implements AutoCloseable {
  /** What is done with a batch. */
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

  /** Starts to write a batch, which nobody touches until {@link #take}; none is being written. */
  void start(Batch next, Write write) {
    FutureTask<Optional<List<Reject>>> task = new FutureTask<>(write::run);
    batch = next;
    result = task;
    thread.execute(task);
  }

  /** The batch whose result was not taken yet, or null. */
  Batch batch() {
    return batch;
  }

  /** Whether the batch is still being written. */
  boolean isWriting() {
    return result != null && !result.isDone();
  }

  /** Waits until no batch is being written. */
  void await() {
    await(Long.MAX_VALUE);
  }

  /** The same, for at most that long. */
  void await(long ms) {
    if (result == null) {
      return;
    }
    try {
      result.get(ms, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // take() says how it ended.
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * What became of the batch, once it is not being written any more.
   *
   * @throws SQLException as {@link BatchWriter#write}
   * @throws FencedPartitionsException as {@link BatchWriter#write}
   */
  Optional<List<Reject>> take() throws SQLException, FencedPartitionsException {
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

  /** Ends the thread, after what it writes. */
  @Override
  public void close() {
    thread.shutdown();
  }
}

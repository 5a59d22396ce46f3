package io.weir.internal.app;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a service with a loop: runs it, logs in one line why it ended, and stops it. Safe
 * for many threads.
 */
public final class ServiceThread {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceThread.class);
  private static final long STOP_MS = 10_000;

  /** The work of the thread. */
  public interface Work {
    /** Runs until it is stopped; on the thread. */
    void run() throws InterruptedException;

    /** Requests an end after the current step; for any thread. */
    void stop();

    /** Interrupts its waits at once; for any thread. */
    default void abort() {
      stop();
    }

    /** Releases its resources; on the thread. */
    default void release() {}
  }

  private final KafkaSettings kafka;
  private final List<Acl> rights;
  private final Work work;
  private final Thread thread;
  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private volatile boolean stopping;

  /**
   * Creates the thread without starting it.
   *
   * @param rights its rights in Kafka, for messages of authorization failures
   */
  public ServiceThread(String name, KafkaSettings kafka, List<Acl> rights, Work work) {
    this.kafka = kafka;
    this.rights = rights;
    this.work = work;
    this.thread = new Thread(this::run, name);
  }

  public void start() {
    thread.start();
  }

  /** Whether a stop was requested. */
  public boolean isStopping() {
    return stopping;
  }

  /** As {@link Service#ended}. */
  public CompletableFuture<Optional<String>> ended() {
    return ended;
  }

  private void run() {
    Optional<String> reason = Optional.empty();
    try {
      work.run();
    } catch (InterruptedException | InterruptException | WakeupException e) {
      LOG.debug("stopped", e);
    } catch (RuntimeException e) {
      reason = Optional.of(inOneLine(e));
    } catch (Error e) {
      LOG.error("Unexpected error, shutting down", e);
      reason = Optional.of(e.toString());
    } finally {
      work.abort();
      work.release();
      ended.complete(stopping ? Optional.empty() : reason);
    }
  }

  /** Adds the missing right to authorization failures. */
  private String inOneLine(RuntimeException failure) {
    try {
      return StartFailures.explain(
          kafka.forAdmin(),
          rights,
          () -> {
            throw failure;
          });
    } catch (StartRefusedException e) {
      return String.valueOf(e.getMessage());
    } catch (KafkaException e) {
      LOG.debug("the service failed", e);
      return e.toString();
    } catch (RuntimeException e) {
      LOG.error("Unexpected error, shutting down", e);
      return e.toString();
    }
  }

  /** Stops without cleanup, to simulate a crash. Returns at once. */
  public void breakOff() {
    stopping = true;
    work.abort();
    work.stop();
  }

  /** Stops it after its current step, within some seconds; returns when it has ended. */
  public void close() {
    stopping = true;
    work.stop();
    try {
      thread.join(STOP_MS);
      if (thread.isAlive()) {
        work.abort();
        thread.interrupt();
        thread.join(STOP_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

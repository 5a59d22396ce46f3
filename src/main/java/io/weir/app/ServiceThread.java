package io.weir.app;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a service that is a loop: runs it, says in one line what ended it, and stops
 * it. Safe for many threads.
 */
public final class ServiceThread {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceThread.class);
  private static final long STOP_MS = 10_000;

  /** What the thread does. */
  public interface Work {
    /** Goes on until it is stopped; in the thread. */
    void run() throws InterruptedException;

    /** Lets it end after what it does; for any thread. */
    void stop();

    /** Ends at once what it waits for; for any thread. */
    void abort();

    /** Closes what it used, however it ended; in the thread. */
    void release();
  }

  private final KafkaSettings kafka;
  private final List<Acl> rights;
  private final Work work;
  private final Thread thread;
  private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  private volatile boolean stopping;

  /**
   * Prepares it.
   *
   * @param rights what it needs in Kafka, for a failure that one of them would mend
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

  /** Whether it was asked to end. */
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
      LOG.debug("asked to stop", e);
    } catch (RuntimeException e) {
      reason = Optional.of(inOneLine(e));
    } catch (Error e) {
      LOG.error("broken", e);
      reason = Optional.of(e.toString());
    } finally {
      work.abort();
      work.release();
      ended.complete(stopping ? Optional.empty() : reason);
    }
  }

  /** With what to allow where that is it. */
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
      LOG.debug("it cannot go on", e);
      return e.toString();
    } catch (RuntimeException e) {
      LOG.error("broken", e);
      return e.toString();
    }
  }

  /** Ends it without finishing what is under way: as good as a kill. Returns at once. */
  public void breakOff() {
    stopping = true;
    work.abort();
    work.stop();
  }

  /** Lets it finish what is under way, for some seconds; returns when it has ended. */
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

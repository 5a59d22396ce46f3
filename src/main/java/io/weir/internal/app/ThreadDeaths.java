package io.weir.internal.app;

import io.weir.internal.store.StateMismatchException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the death of a stream thread: replaces it, a bounded number of times within a period;
 * after that, or if another thread would fail too, ends the process for its supervisor to restart.
 * A thread that died because brokers do not answer is always replaced: another process would fail
 * too. Safe for many threads.
 */
final class ThreadDeaths implements StreamsUncaughtExceptionHandler {
  static final int MIN_REPLACEMENTS = 8;

  /** Per thread, if that is more: a failure of all threads at once is one event. */
  static final int REPLACEMENTS_A_THREAD = 4;

  static final long WHILE_MS = 10 * 60 * 1000;

  private static final Logger LOG = LoggerFactory.getLogger(ThreadDeaths.class);

  private final LongSupplier elapsedMs;
  private final List<Acl> rights;
  private final int maxReplacements;
  private final Consumer<String> onFatal;
  private final Deque<Long> deaths = new ArrayDeque<>();
  private final Set<Thread> replaced = Collections.newSetFromMap(new WeakHashMap<>());
  private String fatal;
  private long total;
  private boolean closing;

  /**
   * @param rights the rights of the application
   * @param threads number of stream threads
   * @param onFatal receives the reason when the process must end
   */
  ThreadDeaths(LongSupplier elapsedMs, List<Acl> rights, int threads, Consumer<String> onFatal) {
    this.elapsedMs = elapsedMs;
    this.rights = rights;
    this.maxReplacements = Math.max(MIN_REPLACEMENTS, REPLACEMENTS_A_THREAD * threads);
    this.onFatal = onFatal;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable death) {
    long nowMs = elapsedMs.getAsLong();
    deaths.removeIf(earlier -> nowMs - earlier > WHILE_MS);
    if (closing) {
      LOG.info(
          "a stream thread failed at a record, which will be read again: {}", death.toString());
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    total++;
    Optional<String> hopeless = hopeless(death);
    if (hopeless.isEmpty() && isOutage(death)) {
      LOG.error("a stream thread got no answer from Kafka and is replaced", death);
      replaced.add(Thread.currentThread());
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    deaths.add(nowMs);
    if (hopeless.isEmpty() && deaths.size() <= maxReplacements) {
      LOG.error(
          "a stream thread died and is replaced ({} of {} in {} minutes)",
          deaths.size(),
          maxReplacements,
          WHILE_MS / 60_000,
          death);
      replaced.add(Thread.currentThread());
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    boolean decided = fatal != null;
    fatal = hopeless.orElse("stream threads die repeatedly, the last of: " + death);
    if (hopeless.isPresent() && decided) {
      LOG.debug("another one died", death);
    } else if (hopeless.isPresent()) {
      LOG.error("a stream thread died, and another one would too: {}", fatal);
      LOG.debug("it died of", death);
    } else {
      LOG.error("a stream thread died, the limit of replacements is reached", death);
    }
    onFatal.accept(fatal);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** The application ends: dead threads are not replaced any more. */
  synchronized void closing() {
    closing = true;
  }

  /** Whether the cause is a timeout or another retriable error of Kafka. */
  private static boolean isOutage(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof RetriableException && !(cause instanceof CorruptRecordException)) {
        return true;
      }
    }
    return false;
  }

  /** The reason why another thread would die too. */
  private Optional<String> hopeless(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof StateMismatchException || cause instanceof NotAppendTimeException) {
        return Optional.of(cause.getMessage());
      }
      if (cause instanceof VirtualMachineError) {
        return Optional.of("fatal JVM error: " + cause);
      }
    }
    return AclAdvice.describe(death, rights);
  }

  /** Whether the calling thread has died and is replaced. */
  synchronized boolean currentThreadIsReplaced() {
    return replaced.contains(Thread.currentThread());
  }

  /** The number of dead threads, replaced or not. */
  synchronized long total() {
    return total;
  }

  /** The reason why the process must end, if it must. */
  synchronized Optional<String> fatal() {
    return Optional.ofNullable(fatal);
  }
}

package io.weir.app;

import io.weir.store.StateMismatchException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when a stream thread dies: it is replaced, a bounded number of times in a while;
 * then, or where no other thread would fare better, the process is to end for its supervisor to
 * see. Safe for many threads.
 */
final class ThreadDeaths implements StreamsUncaughtExceptionHandler {
  static final int MAX_REPLACEMENTS = 8;
  static final long WHILE_MS = 10 * 60 * 1000;

  private static final Logger LOG = LoggerFactory.getLogger(ThreadDeaths.class);

  private final LongSupplier elapsedMs;
  private final List<Right> rights;
  private final Deque<Long> deaths = new ArrayDeque<>();
  private final Set<Thread> replaced = Collections.newSetFromMap(new WeakHashMap<>());
  private String fatal;
  private long total;
  private boolean closing;

  /**
   * @param rights what the application must be allowed
   */
  ThreadDeaths(LongSupplier elapsedMs, List<Right> rights) {
    this.elapsedMs = elapsedMs;
    this.rights = rights;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable death) {
    long nowMs = elapsedMs.getAsLong();
    deaths.removeIf(earlier -> nowMs - earlier > WHILE_MS);
    deaths.add(nowMs);
    if (closing) {
      LOG.info("a stream thread gave up a record, which will be read again: {}", death.toString());
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    total++;
    Optional<String> hopeless = hopeless(death);
    if (hopeless.isEmpty() && deaths.size() <= MAX_REPLACEMENTS) {
      LOG.error(
          "a stream thread died and is replaced ({} of {} in {} minutes)",
          deaths.size(),
          MAX_REPLACEMENTS,
          WHILE_MS / 60_000,
          death);
      replaced.add(Thread.currentThread());
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    fatal = hopeless.orElse("stream threads die again and again, the last of: " + death);
    LOG.error("a stream thread died and nothing is left to try", death);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** The application ends: what dies from now on need not be replaced. */
  synchronized void closing() {
    closing = true;
  }

  /** Why another thread would die as well. */
  private Optional<String> hopeless(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof StateMismatchException || cause instanceof NotAppendTimeException) {
        return Optional.of(cause.getMessage());
      }
      if (cause instanceof VirtualMachineError) {
        return Optional.of("the machine gave up: " + cause);
      }
    }
    return MissingRight.describe(death, rights);
  }

  /** Whether the calling thread has died and another takes its place. */
  synchronized boolean currentThreadIsReplaced() {
    return replaced.contains(Thread.currentThread());
  }

  /** How many have died, replaced or not. */
  synchronized long total() {
    return total;
  }

  /** Why the process is to end, if it is. */
  synchronized Optional<String> fatal() {
    return Optional.ofNullable(fatal);
  }
}

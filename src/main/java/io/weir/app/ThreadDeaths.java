package io.weir.app;

import io.weir.store.StateMismatchException;
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
 * What happens when a stream thread dies: it is replaced, a bounded number of times in a while;
 * then, or where no other thread would fare better, the process is to end for its supervisor to
 * see. A thread that died because the brokers do not answer is always replaced: another process
 * would do no better. Safe for many threads.
 */
final class ThreadDeaths implements StreamsUncaughtExceptionHandler {
  static final int MIN_REPLACEMENTS = 8;

  /** For each thread, where that is more: what happens to all of them at once is one event. */
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
   * @param rights what the application must be allowed
   * @param threads that the process has
   * @param onFatal receives the reason once it is decided that the process ends
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
    fatal = hopeless.orElse("stream threads die again and again, the last of: " + death);
    if (hopeless.isPresent() && decided) {
      LOG.debug("another one died", death);
    } else if (hopeless.isPresent()) {
      LOG.error("a stream thread died, and another one would too: {}", fatal);
      LOG.debug("it died of", death);
    } else {
      LOG.error("a stream thread died and nothing is left to try", death);
    }
    onFatal.accept(fatal);
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** The application ends: what dies from now on need not be replaced. */
  synchronized void closing() {
    closing = true;
  }

  /** Whether Kafka did not answer, or not yet: there is no other cause that a thread could have. */
  private static boolean isOutage(Throwable death) {
    for (Throwable cause = death; cause != null; cause = cause.getCause()) {
      if (cause instanceof RetriableException && !(cause instanceof CorruptRecordException)) {
        return true;
      }
    }
    return false;
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
    return AclAdvice.describe(death, rights);
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

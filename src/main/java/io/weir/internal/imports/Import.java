package io.weir.internal.imports;

import io.weir.internal.app.WaitLog;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.time.MonotonicClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps topics until it is stopped. A failure of Kafka or a rebalance ends a session, and the next
 * begins at the last commit. One thread.
 */
public final class Import {
  private static final Logger LOG = LoggerFactory.getLogger(Import.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ImportSettings settings;
  private final Clients clients;
  private final Form form;
  private final LongSupplier nanos;
  private final WaitLog waits = new WaitLog(LOG, "");
  private final AtomicLong successMs = new AtomicLong(MonotonicClock.millis());
  private ImportCounts counts = ImportCounts.NONE;

  /**
   * Creates the clients of a session.
   *
   * @param consumer of the import's group: reads committed records, commits nothing by itself, and
   *     has no default offset
   * @param producer with the transactional id
   * @param reader without a group, of committed records
   * @param topicId the id of a topic, if it exists
   */
  public record Clients(
      Supplier<Consumer<byte[], byte[]>> consumer,
      Supplier<Producer<byte[], byte[]>> producer,
      Supplier<Consumer<byte[], byte[]>> reader,
      Function<String, Optional<Uuid>> topicId) {}

  /**
   * How records are read and written.
   *
   * @param roomForBatch most bytes of a batch before it is framed
   * @param maxDeadLetterBytes {@code max.message.bytes} of the topic of dead letters
   */
  public record Form(
      RecordReader reader,
      ValueFormat.Writer writer,
      int maxBatchReadings,
      int roomForBatch,
      int maxDeadLetterBytes) {}

  /** Waits as long; returns whether a stop was requested. */
  @FunctionalInterface
  public interface Waiting {
    boolean await(Duration atMost);
  }

  public Import(ImportSettings settings, Clients clients, Form form) {
    this(settings, clients, form, System::nanoTime);
  }

  /**
   * @param nanos a clock such as {@link System#nanoTime()}
   */
  Import(ImportSettings settings, Clients clients, Form form, LongSupplier nanos) {
    this.nanos = nanos;
    this.settings = settings;
    this.clients = clients;
    this.form = form;
  }

  /**
   * How long ago a transaction was committed or the brokers answered that nothing waits, in
   * milliseconds. Any thread may ask.
   */
  public long successAgeMs() {
    return Math.max(0, MonotonicClock.millis() - successMs.get());
  }

  /** What it waits for; empty without a wait. Any thread may ask. */
  public String waitsFor() {
    return waits.waitsFor();
  }

  private void succeeded(long ms) {
    successMs.accumulateAndGet(ms, Math::max);
  }

  private void committed(ImportCounts transaction) {
    counts = counts.plus(transaction);
    succeeded(MonotonicClock.millis());
  }

  /**
   * Runs until it is stopped; returns what was committed.
   *
   * @throws ImportRefusedException where a person must decide
   * @throws KafkaException where credentials or rights are missing, or another process has the same
   *     instance
   */
  public ImportCounts run(Waiting waiting) {
    while (!waiting.await(Duration.ZERO)) {
      try (ImportSession session = new ImportSession(settings, clients, form, waits, nanos)) {
        while (!waiting.await(Duration.ZERO)) {
          long beganNanos = nanos.getAsLong();
          ImportCounts committed = session.step(this::committed, this::succeeded);
          if (waits.waitsFor().isEmpty()) {
            pause(waiting, committed, beganNanos);
          } else {
            waiting.await(PAUSE);
          }
        }
      } catch (ProducerFencedException e) {
        throw new ImportRefusedException(
            "another process has started as "
                + settings.transactionalId()
                + ": give each its own --instance, then start it again");
      } catch (ImportRefusedException
          | AuthenticationException
          | AuthorizationException
          | WakeupException e) {
        throw e;
      } catch (KafkaException e) {
        waits.waiting(e + "; begins again at the last commit");
        waiting.await(PAUSE);
      }
    }
    return counts;
  }

  /** While it keeps up, transactions are as far apart as the settings say. */
  private void pause(Waiting waiting, ImportCounts committed, long beganNanos) {
    boolean few = committed.mapped() + committed.skipped() + committed.refused() < FULL_POLL / 2;
    Duration left = settings.commitInterval().minusNanos(nanos.getAsLong() - beganNanos);
    if (few && left.toMillis() > 0 && !committed.equals(ImportCounts.NONE)) {
      waiting.await(left);
    }
  }

  /** Most records of a poll. */
  public static final int FULL_POLL = 5_000;

  /** Of its producers. */
  public static final Duration TRANSACTION_TIMEOUT = ImportTransaction.TIMEOUT;
}

package io.weir.internal.imports;

import io.weir.internal.registry.ValueFormat;
import io.weir.signing.GatewayKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Maps topics until it is stopped. A failure of Kafka or a rebalance ends a session, and the next
 * begins at the last commit. One thread.
 */
public final class Import {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ImportSettings settings;
  private final Clients clients;
  private final Form form;
  private final LongSupplier nanos;
  private final ImportStatus status;

  /**
   * Creates the clients of a session.
   *
   * @param consumer of the import's group: reads committed records, commits nothing by itself, and
   *     has no default offset
   * @param producer with the transactional id
   * @param reader without a group, of committed records
   * @param topicId the id of a topic, if it exists
   * @param end the offset behind the last record of a partition, committed or not
   */
  public record Clients(
      Supplier<Consumer<byte[], byte[]>> consumer,
      Supplier<Producer<byte[], byte[]>> producer,
      Supplier<Consumer<byte[], byte[]>> reader,
      Function<String, Optional<Uuid>> topicId,
      ToLongFunction<TopicPartition> end) {}

  /**
   * How records are read and written.
   *
   * @param roomForBatch most bytes of a batch before it is framed
   * @param maxDeadLetterBytes {@code max.message.bytes} of the topic of dead letters
   * @param key signs the batches, if there is one
   * @param ordered whether each sensor is in one source partition, in the order of its times
   */
  public record Form(
      RecordReader reader,
      ValueFormat.Writer writer,
      int maxBatchReadings,
      int roomForBatch,
      int maxDeadLetterBytes,
      Optional<GatewayKey> key,
      boolean ordered) {}

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
    this.status = ImportStatus.of(settings.sources());
    this.clients = clients;
    this.form = form;
  }

  ImportStatus status() {
    return status;
  }

  /**
   * Runs until it is stopped; returns what was committed.
   *
   * @throws ImportRefusedException where a person must decide
   * @throws KafkaException where credentials or rights are missing
   */
  public ImportCounts run(Waiting waiting) {
    while (!waiting.await(Duration.ZERO)) {
      try (ImportSession session = new ImportSession(settings, clients, form, status, nanos)) {
        while (!waiting.await(Duration.ZERO)) {
          long beganNanos = nanos.getAsLong();
          long records = session.step();
          if (!status.waits().waitsFor().isEmpty()) {
            waiting.await(PAUSE);
          } else if (records > 0 && records + session.left() < FULL_POLL / 2) {
            pause(waiting, beganNanos);
          }
        }
      } catch (ProducerFencedException e) {
        throw new ImportRefusedException(
            "another process has started as instance "
                + settings.instance()
                + " of the import "
                + settings.name()
                + ": give each its own --instance, then start it again");
      } catch (AuthenticationException | AuthorizationException | WakeupException e) {
        throw e;
      } catch (KafkaException e) {
        status.waits().waiting(e + "; restarts from the last commit");
        waiting.await(PAUSE);
      }
    }
    return status.total();
  }

  /** While it keeps up, transactions are as far apart as the settings say. */
  private void pause(Waiting waiting, long beganNanos) {
    Duration left = settings.commitInterval().minusNanos(nanos.getAsLong() - beganNanos);
    if (left.toMillis() > 0) {
      waiting.await(left);
    }
  }

  /** Most records of a poll. */
  public static final int FULL_POLL = 5_000;
}

package io.weir.edge;

import com.google.protobuf.Message;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.registry.ValueFormat;
import io.weir.v1.ReadingBatch;
import io.weir.wire.BatchEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Puts the parts of a publisher together. */
final class PublisherStartup {
  private PublisherStartup() {}

  /**
   * A publisher of readings to Kafka, not started yet.
   *
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
   */
  static ReadingPublisher create(PublisherSettings settings, MeterRegistry registry) {
    Start start = start(settings, registry, ReadingBatch.getDefaultInstance());
    return create(settings, start.bootId(), new BatchEncoder()::encode, start.surroundings());
  }

  /** A publisher of readings, not started yet. */
  static ReadingPublisher create(
      PublisherSettings settings,
      long bootId,
      BatchEncoding encoding,
      PublisherSurroundings surroundings) {
    QueueSettings of = QueueSettings.of(settings, bootId);
    PartitionQueues<ReadingQueue> queues =
        new PartitionQueues<>(
            partition ->
                new ReadingQueue(
                    partition, of, new ReadingAccumulator(of, encoding, surroundings.ticker())));
    return new ReadingPublisher(
        core(settings, settings.gatewayId(), bootId, queues, surroundings), queues);
  }

  /**
   * A boot, and what its publisher works with.
   *
   * @param bootId of the journal, where batches are kept on disk
   */
  record Start(long bootId, PublisherSurroundings surroundings) {}

  /**
   * Starts to Kafka.
   *
   * @param message what the batches are
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
   */
  static Start start(PublisherSettings settings, MeterRegistry registry, Message message) {
    long clockMs = System.currentTimeMillis();
    long random = ThreadLocalRandom.current().nextLong();
    Optional<FileJournal> journal = journal(settings, clockMs, random);
    long bootId =
        journal.isPresent() ? journal.get().bootId() : settings.start().bootId(clockMs, random);
    ValueFormat format = settings.valueFormat();
    return new Start(
        bootId,
        new PublisherSurroundings(
            registry,
            System::nanoTime,
            () -> KafkaBatchSender.open(settings, format, message),
            journal,
            task -> helperThread(settings.gatewayId(), task)));
  }

  /** What is behind the offers of a publisher, not started yet. */
  static PublisherCore core(
      PublisherSettings settings,
      String name,
      long bootId,
      PartitionQueues<?> queues,
      PublisherSurroundings surroundings) {
    Ticker ticker = surroundings.ticker();
    QueueLimit limit = QueueLimit.of(settings);
    StatusBoard status = new StatusBoard(settings.listener(), new FailureLog(name), ticker);
    PublisherMetrics metrics =
        new PublisherMetrics(
            surroundings.registry(), name, settings.queueCapacity(), limit, queues, status);
    PublisherContext context =
        new PublisherContext(settings, name, bootId, queues, limit, metrics, status, ticker);
    Wakeup wakeup = new Wakeup(settings.flushInterval().toNanos());
    ProducerSession session =
        new ProducerSession(
            surroundings.senders(), wakeup, context.newLog(), status, surroundings.helper());
    return new PublisherCore(
        context, wakeup, new SendLoop(context, session, surroundings.journal()));
  }

  static void helperThread(String gatewayId, Runnable task) {
    Thread thread = new Thread(task, "weir-publisher-" + gatewayId + "-connect");
    thread.setDaemon(true);
    thread.start();
  }

  private static Optional<FileJournal> journal(
      PublisherSettings settings, long clockMs, long random) {
    if (settings.keepIn().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          FileJournal.open(
              settings.keepIn().get(),
              settings.gatewayId(),
              settings.keepMaxBytes(),
              clockMs,
              random));
    } catch (IOException e) {
      throw new UncheckedIOException("keepIn: " + e.getMessage(), e);
    }
  }
}

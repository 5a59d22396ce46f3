package io.weir.edge;

import com.google.protobuf.Message;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.wire.BatchEncoder;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Creates publishers. */
final class PublisherFactory {
  private PublisherFactory() {}

  /**
   * A publisher of readings to Kafka, not started yet.
   *
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
   */
  static ReadingPublisher create(PublisherSettings settings, MeterRegistry registry) {
    return create(
        settings,
        new BatchEncoder()::encode,
        dependencies(settings, registry, ReadingBatch.getDefaultInstance()));
  }

  /** A publisher of readings, not started yet. */
  static ReadingPublisher create(
      PublisherSettings settings, BatchEncoding encoding, PublisherDependencies dependencies) {
    QueueSettings queueSettings = QueueSettings.of(settings, dependencies.bootId());
    PartitionQueues<ReadingQueue> queues =
        new PartitionQueues<>(
            partition ->
                new ReadingQueue(
                    partition,
                    queueSettings,
                    new ReadingAccumulator(queueSettings, encoding, dependencies.ticker())));
    return new ReadingPublisher(core(settings, settings.gatewayId(), queues, dependencies), queues);
  }

  /**
   * The dependencies of a publisher to Kafka; opens the journal if batches are kept on disk.
   *
   * @param message the message type of the batches
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
   */
  static PublisherDependencies dependencies(
      PublisherSettings settings, MeterRegistry registry, Message message) {
    long clockMs = System.currentTimeMillis();
    long random = ThreadLocalRandom.current().nextLong();
    Optional<FileJournal> journal = journal(settings, clockMs, random);
    long bootId =
        journal.isPresent() ? journal.get().bootId() : settings.start().bootId(clockMs, random);
    ValueFormat format = settings.valueFormat();
    return new PublisherDependencies(
        bootId,
        registry,
        System::nanoTime,
        () -> KafkaBatchSender.open(settings, format, message),
        journal,
        task -> helperThread(settings.gatewayId(), task));
  }

  /** The common part of a publisher, not started yet; closes the journal if that fails. */
  static PublisherCore core(
      PublisherSettings settings,
      String name,
      PartitionQueues<?> queues,
      PublisherDependencies dependencies) {
    try {
      return build(settings, name, queues, dependencies);
    } catch (RuntimeException e) {
      if (dependencies.journal().isPresent()) {
        close(dependencies.journal().get(), e);
      }
      throw e;
    }
  }

  private static void close(FileJournal journal, RuntimeException cause) {
    try {
      journal.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private static PublisherCore build(
      PublisherSettings settings,
      String name,
      PartitionQueues<?> queues,
      PublisherDependencies dependencies) {
    Ticker ticker = dependencies.ticker();
    QueueLimit limit = QueueLimit.of(settings);
    StatusBoard status = new StatusBoard(settings.listener(), new FailureLog(name), ticker);
    PublisherMetrics metrics =
        new PublisherMetrics(
            dependencies.registry(), name, settings.queueCapacity(), limit, queues, status);
    PublisherContext context =
        new PublisherContext(
            settings, name, dependencies.bootId(), queues, limit, metrics, status, ticker);
    Wakeup wakeup = new Wakeup(settings.flushInterval().toNanos());
    ProducerSession session =
        new ProducerSession(
            dependencies.senders(), wakeup, context.newLog(), status, dependencies.helper());
    SendLoop sendLoop = new SendLoop(context, session, dependencies.journal());
    sendLoop.resume();
    return new PublisherCore(context, wakeup, sendLoop);
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
              random,
              settings.storedReadings()));
    } catch (IOException e) {
      throw new UncheckedIOException("keepIn: " + e.getMessage(), e);
    }
  }
}

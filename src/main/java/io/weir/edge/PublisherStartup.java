package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.registry.ValueFormat;
import io.weir.wire.BatchEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/** Puts the parts of a publisher together. */
final class PublisherStartup {
  private PublisherStartup() {}

  /**
   * A publisher to Kafka, not started yet.
   *
   * @throws UncheckedIOException where the directory of {@code keepIn} cannot be used
   */
  static ReadingPublisher create(PublisherSettings settings, MeterRegistry registry) {
    long clockMs = System.currentTimeMillis();
    long random = ThreadLocalRandom.current().nextLong();
    Optional<FileJournal> journal = journal(settings, clockMs, random);
    long bootId =
        journal.isPresent() ? journal.get().bootId() : settings.start().bootId(clockMs, random);
    ValueFormat format = settings.valueFormat();
    PublisherContext context = context(settings, bootId, registry, System::nanoTime);
    return create(
        context,
        () -> KafkaBatchSender.open(settings, format),
        journal,
        new BatchEncoder()::encode,
        task -> helperThread(settings.gatewayId(), task));
  }

  static PublisherContext context(
      PublisherSettings settings, long bootId, MeterRegistry registry, Ticker ticker) {
    String gatewayId = settings.gatewayId();
    QueueLimit limit = QueueLimit.of(settings);
    PartitionQueues queues = new PartitionQueues(QueueSettings.of(settings, bootId), ticker);
    StatusBoard status = new StatusBoard(settings.listener(), new FailureLog(gatewayId), ticker);
    PublisherMetrics metrics =
        new PublisherMetrics(registry, gatewayId, settings.queueCapacity(), limit, queues, status);
    return new PublisherContext(settings, bootId, queues, limit, metrics, status, ticker);
  }

  /**
   * A publisher, not started yet.
   *
   * @param senders opens the way to the brokers
   * @param journal keeps batches on disk
   * @param helper runs what may wait long: opening and closing the way to the brokers
   */
  static ReadingPublisher create(
      PublisherContext context,
      BatchSender.Factory senders,
      Optional<FileJournal> journal,
      BatchEncoding encoding,
      Executor helper) {
    Wakeup wakeup = new Wakeup(context.settings().flushInterval().toNanos());
    ProducerSession session =
        new ProducerSession(senders, wakeup, context.newLog(), context.status(), helper);
    SendLoop sendLoop = new SendLoop(context, session, journal, encoding);
    return new ReadingPublisher(context, wakeup, sendLoop);
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

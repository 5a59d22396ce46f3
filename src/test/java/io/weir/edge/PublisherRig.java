package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.wire.BatchEncoder;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A publisher whose thread is the test: its clock, its runs and its brokers' answers. */
final class PublisherRig {
  static final long BOOT_ID = 7_000_000;

  final FakeBrokers brokers;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final ReadingPublisher publisher;
  private long nowNanos = 5_000_000_000L;

  PublisherRig(
      FakeBrokers brokers, UnaryOperator<PublisherSettings.Builder> settings, long bootId) {
    this(brokers, settings, bootId, new BatchEncoder()::encode, Optional.empty());
  }

  PublisherRig(
      FakeBrokers brokers,
      UnaryOperator<PublisherSettings.Builder> settings,
      long bootId,
      BatchEncoding encoding) {
    this(brokers, settings, bootId, encoding, Optional.empty());
  }

  /** A publisher that keeps its batches with the journal. */
  PublisherRig(
      FakeBrokers brokers, UnaryOperator<PublisherSettings.Builder> settings, FileJournal journal) {
    this(brokers, settings, journal.bootId(), new BatchEncoder()::encode, Optional.of(journal));
  }

  private PublisherRig(
      FakeBrokers brokers,
      UnaryOperator<PublisherSettings.Builder> settings,
      long bootId,
      BatchEncoding encoding,
      Optional<FileJournal> journal) {
    this.brokers = brokers;
    this.publisher =
        PublisherFactory.create(
            settings.apply(builder()).build(),
            encoding,
            new PublisherDependencies(
                bootId, registry, () -> nowNanos, brokers, journal, Runnable::run));
  }

  static PublisherRig with(UnaryOperator<PublisherSettings.Builder> settings) {
    return new PublisherRig(new FakeBrokers(), settings, BOOT_ID);
  }

  /** A publisher that is not started, with the clock and the helper threads that it really has. */
  static ReadingPublisher publisher(
      PublisherSettings settings, MeterRegistry registry, BatchSender.Factory senders) {
    return PublisherFactory.create(
        settings,
        new BatchEncoder()::encode,
        new PublisherDependencies(
            BOOT_ID,
            registry,
            System::nanoTime,
            senders,
            Optional.empty(),
            task -> PublisherFactory.helperThread(settings.gatewayId(), task)));
  }

  static PublisherSettings.Builder builder() {
    return PublisherSettings.builder("gateway-7").bootstrapServers("localhost:9092");
  }

  Offer offer(String sensorId, long timestampMs, double value) {
    return publisher.offer(new Reading(sensorId, timestampMs, value));
  }

  /** Runs until nothing is left to do at this time. */
  void run() {
    for (int runs = 0; runOnce() == 0; runs++) {
      if (runs > 10_000) {
        throw new AssertionError("runs without end");
      }
    }
  }

  long runOnce() {
    return publisher.core().sendLoop().runOnce();
  }

  void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  void passAndRun(Duration time) {
    pass(time);
    run();
  }

  /** Lets the brokers answer everything, until nothing is left. */
  void drain() {
    publisher.flushAsync();
    brokers.heal();
    for (int rounds = 0; publisher.queuedReadings() > 0; rounds++) {
      if (rounds > 10_000) {
        throw new AssertionError("readings left for ever: " + publisher.queuedReadings());
      }
      passAndRun(Duration.ofSeconds(10));
      brokers.acknowledgeAll();
      run();
    }
  }

  /** What a close would report, its thread being the test. */
  CloseReport closeAfter(Duration timeout) {
    publisher.stopTaking(timeout);
    long untilNext = runOnce();
    while (untilNext != SendLoop.FINISHED) {
      pass(Duration.ofNanos(Math.max(1, Math.min(untilNext, timeout.toNanos()))));
      untilNext = runOnce();
    }
    return publisher.core().report(publisher.core().sendLoop().finish());
  }
}

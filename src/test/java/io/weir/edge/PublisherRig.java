package io.weir.edge;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.reading.Reading;
import io.weir.wire.BatchEncoder;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A publisher whose thread is the test: its clock, its turns and its brokers' answers. */
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
      Shipper.Encoding encoding) {
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
      Shipper.Encoding encoding,
      Optional<FileJournal> journal) {
    this.brokers = brokers;
    this.publisher =
        new ReadingPublisher(
            settings.apply(builder()).build(),
            registry,
            brokers,
            () -> nowNanos,
            bootId,
            encoding,
            Runnable::run,
            journal);
  }

  static PublisherRig with(UnaryOperator<PublisherSettings.Builder> settings) {
    return new PublisherRig(new FakeBrokers(), settings, BOOT_ID);
  }

  static PublisherSettings.Builder builder() {
    return PublisherSettings.builder("gateway-7").bootstrapServers("localhost:9092");
  }

  Offer offer(String sensorId, long timestampMs, double value) {
    return publisher.offer(new Reading(sensorId, timestampMs, value));
  }

  /** Turns until nothing is left to do at this time. */
  void run() {
    for (int turns = 0; turn() == 0; turns++) {
      if (turns > 10_000) {
        throw new AssertionError("turns without end");
      }
    }
  }

  long turn() {
    return publisher.shipper().turn();
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
    long untilNext = turn();
    while (untilNext != Shipper.FINISHED) {
      pass(Duration.ofNanos(Math.max(1, Math.min(untilNext, timeout.toNanos()))));
      untilNext = turn();
    }
    return publisher.report(publisher.shipper().finish());
  }
}

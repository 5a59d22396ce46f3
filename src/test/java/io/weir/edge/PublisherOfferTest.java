package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.reading.Reading;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class PublisherOfferTest {
  private final PublisherRig rig =
      PublisherRig.with(
          settings ->
              settings
                  .queueCapacity(100)
                  .suspendThresholdPercent(90)
                  .resumeThresholdPercent(50)
                  .batchMaxReadings(10)
                  .flushInterval(Duration.ZERO));

  @Test
  void offer_overTheThreshold_isSuspendedUntilTheLowerMark() {
    assertThat(offerMany(200)).as("accepted").isEqualTo(90);
    rig.run();
    acknowledgeBatches(3);
    assertThat(rig.offer("pump", 1, 1)).as("60 readings wait").isEqualTo(Offer.SUSPENDED);

    acknowledgeBatches(1);

    assertThat(rig.offer("pump", 1, 1)).as("50 readings waited").isEqualTo(Offer.ACCEPTED);
    assertThat(count(rig.registry, "accepted")).isEqualTo(91);
    assertThat(count(rig.registry, "suspended")).isEqualTo(111);
    assertThat(rig.registry.get(PublisherMetrics.QUEUE_READINGS).gauge().value()).isEqualTo(51);
    assertThat(rig.registry.get(PublisherMetrics.QUEUE_CAPACITY).gauge().value()).isEqualTo(100);
  }

  /** 256 bytes of id count for more than a reading with a short one. */
  @Test
  void offer_overTheBytes_isSuspendedLongBeforeTheReadings() {
    PublisherRig rig =
        PublisherRig.with(
            settings -> settings.queueCapacity(1_000_000).queueCapacityBytes(1 << 16));
    int accepted = 0;
    while (rig.offer("x".repeat(250) + String.format("%06d", accepted), 1, 1) == Offer.ACCEPTED) {
      accepted++;
    }
    assertThat(accepted).isBetween(150, 205);
    assertThat(rig.registry.get(PublisherMetrics.QUEUE_BYTES).gauge().value())
        .isBetween(accepted * 256.0, 65_536.0);
  }

  @Test
  void offer_ofAnIdWithHalfASurrogatePair_isRefused() {
    assertThat(PublisherRig.with(settings -> settings).offer("pump\ud83c", 1, 1))
        .isEqualTo(Offer.REFUSED_SENSOR_ID_NOT_TEXT);
  }

  @Test
  void offer_withBrokersAway_isSuspendedAndNothingIsLost() {
    rig.brokers.refuseToOpen(true);
    assertThat(offerMany(200)).isEqualTo(90);
    for (int i = 0; i < 50; i++) {
      rig.passAndRun(Duration.ofSeconds(10));
    }
    assertThat(rig.offer("pump", 1, 1)).isEqualTo(Offer.SUSPENDED);

    rig.drain();

    assertThat(TopicReader.readingsBySensor(rig.brokers.topic()).get("pump")).hasSize(90);
    assertThat(rig.offer("pump", 1, 1)).isEqualTo(Offer.ACCEPTED);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void offer_ofAValueThatIsNotFinite_isRefused(double value) {
    assertThat(rig.offer("pump", 1, value)).isEqualTo(Offer.REFUSED_INVALID_VALUE);
    assertThat(count(rig.registry, "refused_invalid_value")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void offer_ofATimestampThatIsNotPositive_isRefused(long timestampMs) {
    assertThat(rig.offer("pump", timestampMs, 1)).isEqualTo(Offer.REFUSED_INVALID_TIMESTAMP);
  }

  @Test
  void offer_ofATimestampFarInTheFuture_isAcceptedWhateverTheGatewaysClock() {
    assertThat(rig.offer("pump", Long.MAX_VALUE, 1)).isEqualTo(Offer.ACCEPTED);
  }

  @Test
  void offer_ofAnIdWithoutOrWithTooManyBytes_isRefused() {
    assertThat(rig.offer("", 1, 1)).isEqualTo(Offer.REFUSED_MISSING_SENSOR_ID);
    assertThat(rig.offer("x".repeat(257), 1, 1)).isEqualTo(Offer.REFUSED_SENSOR_ID_TOO_LONG);
    assertThat(rig.offer("é".repeat(129), 1, 1)).isEqualTo(Offer.REFUSED_SENSOR_ID_TOO_LONG);
    assertThat(rig.offer("é".repeat(128), 1, 1)).isEqualTo(Offer.ACCEPTED);
    assertThat(Offer.REFUSED_SENSOR_ID_TOO_LONG.reason()).contains(RejectReason.SENSOR_ID_TOO_LONG);
    assertThat(Offer.SUSPENDED.reason()).isEmpty();
  }

  @Test
  void acknowledgement_ofEachReading_isCalledOnceEvenIfOthersThrow() {
    List<String> called = new ArrayList<>();
    rig.publisher.offer(new Reading("pump", 1, 1), () -> called.add("first"));
    rig.publisher.offer(
        new Reading("pump", 2, 2),
        () -> {
          throw new IllegalStateException("a fault of the gateway's");
        });
    rig.publisher.offer(new Reading("pump", 3, 3), () -> called.add("third"));
    rig.run();
    rig.brokers.failAll();
    rig.run();
    assertThat(called).isEmpty();

    rig.drain();
    rig.drain();

    assertThat(called).containsExactly("first", "third");
  }

  /** Only the log asks an exception for its message. */
  @Test
  void acknowledgement_whoseExceptionHasNoMessage_stopsNothing() {
    List<String> called = new ArrayList<>();
    Logger logger = (Logger) LoggerFactory.getLogger(ReadingPublisher.class);
    logger.setAdditive(false);
    logger.setLevel(Level.DEBUG);
    try {
      rig.publisher.offer(
          new Reading("pump", 1, 1),
          () -> {
            throw new Nameless();
          });
      rig.publisher.offer(new Reading("pump", 2, 2), () -> called.add("second"));
      CompletableFuture<Void> flushed = rig.publisher.flushAsync();
      rig.drain();

      assertThat(called).containsExactly("second");
      assertThat(flushed).isCompleted();
    } finally {
      logger.setLevel(null);
      logger.setAdditive(true);
    }
  }

  private static final class Nameless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException();
    }
  }

  @Test
  void acknowledgement_thatOffersAgain_isTaken() {
    AtomicInteger rounds = new AtomicInteger();
    rig.publisher.offer(
        new Reading("pump", 1, 1),
        () -> {
          rounds.incrementAndGet();
          rig.publisher.offer(new Reading("pump", 2, 2), rounds::incrementAndGet);
        });
    rig.drain();

    assertThat(rounds).hasValue(2);
  }

  private int offerMany(int readings) {
    int accepted = 0;
    for (int i = 1; i <= readings; i++) {
      accepted += rig.offer("pump", i, i) == Offer.ACCEPTED ? 1 : 0;
    }
    return accepted;
  }

  private void acknowledgeBatches(int batches) {
    rig.brokers.acknowledge(SensorPartition.of("pump"), batches);
    rig.run();
  }

  private static double count(MeterRegistry registry, String outcome) {
    return registry
        .get(PublisherMetrics.OFFERS)
        .tag("outcome", outcome)
        .meters()
        .iterator()
        .next()
        .measure()
        .iterator()
        .next()
        .getValue();
  }
}

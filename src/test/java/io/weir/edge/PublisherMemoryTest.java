package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.edge.EventPublisher.EventChannel;
import io.weir.edge.EventPublisherSettings.Fold;
import io.weir.reading.Reading;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Memory of publishers whose brokers do not answer: acknowledgements and folds count too. */
class PublisherMemoryTest {
  private static final long LIMIT = 1 << 20;

  /** An object with a field, in an array: at least so much. */
  private static final long ACKNOWLEDGEMENT = 24;

  private final AtomicLong acknowledged = new AtomicLong();

  @Test
  void acknowledgementsOfReadings_takeRoom() {
    PublisherRig rig =
        PublisherRig.with(settings -> settings.queueCapacity(10_000_000).queueCapacityBytes(LIMIT));
    long accepted = 0;
    while (rig.publisher.offer(reading(), acknowledgement()) == Offer.ACCEPTED) {
      accepted++;
    }
    // A reading takes 64 bytes, its acknowledgement as much.
    assertThat(accepted).isBetween(4_000L, LIMIT / 128);
  }

  private static Reading reading() {
    return new Reading("a", 1_700_000_000_000L, 1);
  }

  private Acknowledgement acknowledgement() {
    long number = acknowledged.get();
    return () -> acknowledged.addAndGet(number + 1);
  }

  @Test
  void acknowledgementsOfEvents_takeRoom_foldedOrNot() {
    for (boolean folds : new boolean[] {false, true}) {
      EventPublisherSettings settings =
          EventPublisherSettings.of(
              PublisherRig.builder().queueCapacity(10_000_000).queueCapacityBytes(LIMIT).build());
      EventPublisher publisher =
          new EventPublisher(
              folds ? settings.fold(Duration.ofHours(1), Duration.ofHours(1)) : settings,
              (publisherSettings, name) ->
                  new EventChannel(
                      publisherSettings,
                      name,
                      new PublisherDependencies(
                          PublisherRig.BOOT_ID,
                          new SimpleMeterRegistry(),
                          System::nanoTime,
                          new FakeBrokers(),
                          Optional.empty(),
                          Runnable::run)));
      Event event = event("k", 0, 1);
      long accepted = 0;
      while (publisher.offer(event, acknowledgement()) == Offer.ACCEPTED) {
        accepted++;
      }
      publisher.close(Duration.ZERO);
      assertThat(accepted * ACKNOWLEDGEMENT).isLessThan(LIMIT + LIMIT / 2);
      assertThat(accepted).isGreaterThan(1_000);
    }
  }

  @Test
  void foldsThatGrow_leave() {
    AtomicLong sent = new AtomicLong();
    EventFolds folds =
        new EventFolds(
            new Fold(Duration.ofHours(1), Duration.ofHours(1)),
            LIMIT,
            (event, acknowledgements) -> {
              sent.addAndGet(event.getSerializedSize());
              return Offer.ACCEPTED;
            });
    long offered = 0;
    for (int field = 0; field < 20; field++) {
      for (int key = 0; key < 100; key++) {
        Event event = event("key-" + key, field, 10_000);
        folds.offer(event, null, 0);
        offered += event.getSerializedSize();
        assertThat(folds.bytes()).isLessThanOrEqualTo(LIMIT);
        assertThat(offered - sent.get()).isLessThanOrEqualTo(LIMIT);
      }
    }
  }

  @Test
  void foldsOfSmallFields_takeWhatTheyTakeInMemory() {
    EventFolds folds =
        new EventFolds(
            new Fold(Duration.ofHours(1), Duration.ofHours(1)),
            LIMIT,
            (event, acknowledgements) -> Offer.SUSPENDED);
    int fields = 0;
    while (folds.offer(event("k" + fields / 900, fields % 900, 1), null, 0) == Offer.ACCEPTED) {
      fields++;
    }
    // A field is two nodes of tables, names, a value, a time.
    assertThat(fields).isBetween(1_000, (int) (LIMIT / 250));
  }

  private static Event event(String key, int field, int length) {
    return Event.newBuilder()
        .setKey(key)
        .setTimestampMs(1_700_000_000_000L + field)
        .putFields("f" + field, Value.newBuilder().setStringValue("x".repeat(length)).build())
        .build();
  }
}

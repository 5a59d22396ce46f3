package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PublisherCloseTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void close_sendsWhatWasAcceptedAndTakesNothingNew() {
    PublisherRig rig =
        new PublisherRig(FakeBrokers.answering(), settings -> settings, PublisherRig.BOOT_ID);
    rig.offer("pump", 1, 1);

    CloseReport report = rig.closeAfter(LONG);

    assertThat(report.complete()).isTrue();
    assertThat(report.state().orElseThrow().unacknowledged()).isEmpty();
    assertThat(rig.brokers.wholeTopic()).hasSize(1);
    assertThat(rig.offer("pump", 2, 2)).isEqualTo(Offer.CLOSED);
  }

  @Test
  void close_withBrokersSilent_endsInTimeAndSaysWhatIsLeft() {
    PublisherRig rig = PublisherRig.with(settings -> settings.batchMaxReadings(4));
    for (int i = 1; i <= 10; i++) {
      rig.offer("pump", i, i);
    }
    rig.run();
    var flush = rig.publisher.flushAsync();

    CloseReport report = rig.closeAfter(LONG);

    assertThat(report.unsentReadings()).isEqualTo(10);
    assertThat(report.state().orElseThrow().unacknowledgedReadings()).isEqualTo(10);
    assertThat(flush).isCompletedExceptionally();
    assertThat(rig.publisher.flushAsync()).isCompletedExceptionally();
  }

  @Test
  void close_interruptsASendThatWaits() {
    CountDownLatch sending = new CountDownLatch(1);
    ReadingPublisher publisher = started(new StuckSender(sending));
    publisher.offer(new Reading("pump", 1, 1));
    await(sending);

    CloseReport report = publisher.close(Duration.ofMillis(1));

    assertThat(report.unsentReadings()).isEqualTo(1);
    assertThat(publisher.state().unacknowledged()).hasSize(1);
    assertThat(publisher.close(LONG)).as("again").isEqualTo(report);
  }

  /** As with a name server that does not answer. */
  @Test
  void close_whileAProducerIsBeingMadeForEver_endsInTimeAndKeepsWhatIsLeft() {
    CountDownLatch never = new CountDownLatch(1);
    ReadingPublisher publisher =
        PublisherRig.publisher(
            PublisherRig.builder().build(),
            new SimpleMeterRegistry(),
            () -> {
              await(never);
              throw new IllegalStateException("too late");
            });
    publisher.core().thread().start();
    publisher.offer(new Reading("pump", 1, 1));
    long startNanos = System.nanoTime();
    CloseReport report = publisher.close(Duration.ofSeconds(1));
    long tookNanos = System.nanoTime() - startNanos;
    never.countDown();

    assertThat(Duration.ofNanos(tookNanos)).isLessThan(Duration.ofSeconds(5));
    assertThat(report.unsentReadings()).isOne();
    assertThat(report.state().orElseThrow().unacknowledgedReadings()).isOne();
  }

  @Test
  void flushThatIsAbandoned_completesOutsideOfTheQueuesLock() {
    FakeBrokers brokers = new FakeBrokers();
    PublisherRig rig = new PublisherRig(brokers, settings -> settings, PublisherRig.BOOT_ID);
    rig.offer("pump", 1, 1);
    List<Offer> meanwhile = new ArrayList<>();
    CompletableFuture<Void> flush =
        rig.publisher
            .flushAsync()
            .whenComplete(
                (done, failure) ->
                    // Another thread offers to the same partition while this one completes.
                    meanwhile.add(
                        CompletableFuture.supplyAsync(() -> rig.offer("pump", 2, 2))
                            .orTimeout(10, TimeUnit.SECONDS)
                            .join()));
    rig.closeAfter(Duration.ZERO);

    assertThat(flush).isCompletedExceptionally();
    assertThat(meanwhile).containsExactly(Offer.CLOSED);
  }

  @Test
  void state_beforeTheClose_isRefused() {
    try (ReadingPublisher publisher = started(FakeBrokers.answering().open())) {
      assertThatThrownBy(publisher::state)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not final");
    }
  }

  @Test
  void flushAndClose_byAnAcknowledgement_areRefusedInsteadOfWaitingForEver() throws Exception {
    AtomicReference<Throwable> ofFlush = new AtomicReference<>();
    AtomicReference<Throwable> ofClose = new AtomicReference<>();
    try (ReadingPublisher publisher = started(FakeBrokers.answering().open())) {
      publisher.offer(
          new Reading("pump", 1, 1),
          () -> {
            ofFlush.set(catchThrowable(publisher::flush));
            ofClose.set(catchThrowable(publisher::close));
          });
      publisher.flush();
    }
    assertThat(ofFlush.get()).isInstanceOf(IllegalStateException.class);
    assertThat(ofClose.get()).isInstanceOf(IllegalStateException.class);
  }

  private static ReadingPublisher started(BatchSender sender) {
    ReadingPublisher publisher =
        PublisherRig.publisher(
            PublisherRig.builder().flushInterval(Duration.ZERO).build(),
            new SimpleMeterRegistry(),
            () -> sender);
    publisher.core().thread().start();
    return publisher;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits in send until it is interrupted, like a producer without metadata. */
  private record StuckSender(CountDownLatch sending) implements BatchSender {
    @Override
    public void send(SequencedBatch batch, Outcome outcome) {
      sending.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {}
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublisherStatusTest {
  private final List<PublisherStatus> received = new ArrayList<>();
  private final FakeBrokers brokers = new FakeBrokers();
  private final PublisherRig rig =
      new PublisherRig(brokers, settings -> settings.listener(received::add), PublisherRig.BOOT_ID);

  @Test
  void publisher_isConnecting_thenPublishing_thenClosed() throws InterruptedException {
    assertThat(state()).isEqualTo(PublisherStatus.State.CONNECTING);
    rig.run();
    assertThat(rig.publisher.status()).isEqualTo(new PublisherStatus(publishing(), ""));
    assertThat(rig.publisher.awaitReady(Duration.ZERO)).isTrue();
    rig.closeAfter(Duration.ZERO);

    assertThat(received)
        .extracting(PublisherStatus::state)
        .containsExactly(publishing(), PublisherStatus.State.CLOSED);
  }

  @Test
  void producerThatCannotBeCreated_isReportedWithItsCause_andMeasured()
      throws InterruptedException {
    brokers.refuseToOpen(true);
    rig.run();
    rig.passAndRun(Duration.ofSeconds(90));

    assertThat(rig.publisher.status())
        .isEqualTo(
            new PublisherStatus(
                PublisherStatus.State.RETRYING, "no broker's name can be resolved"));
    assertThat(rig.publisher.awaitReady(Duration.ZERO)).isFalse();
    assertThat(gauge(PublisherMetrics.UNABLE_SECONDS)).isEqualTo(90);
    assertThat(rig.registry.get(PublisherMetrics.OPEN_FAILURES).functionCounter().count())
        .isGreaterThanOrEqualTo(2);

    brokers.refuseToOpen(false);
    rig.passAndRun(Duration.ofSeconds(10));
    assertThat(state()).isEqualTo(publishing());
    assertThat(gauge(PublisherMetrics.UNABLE_SECONDS)).isZero();
  }

  /** As where memory ran out in the producer's network thread. */
  @Test
  void producerThatNeverAnswers_isReplaced_andTheBatchSentAgain() {
    rig.offer("pump", 1, 1);
    rig.run();
    rig.passAndRun(Duration.ofMillis(20));
    rig.passAndRun(Duration.ofSeconds(119));
    assertThat(brokers.opened()).isEqualTo(1);
    rig.passAndRun(Duration.ofSeconds(2));
    assertThat(state()).isEqualTo(PublisherStatus.State.RETRYING);
    rig.passAndRun(Duration.ofSeconds(1));

    assertThat(brokers.opened()).isEqualTo(2);
    brokers.acknowledgeAll();
    rig.run();
    assertThat(state()).isEqualTo(publishing());
    assertThat(rig.publisher.queuedReadings()).isZero();
  }

  @Test
  void producerThatDied_isReplacedAtOnce_notAfterItsAnswerIsOverdue() {
    rig.publisher.offer(new Reading("pump", 1, 1));
    rig.publisher.flushAsync();
    rig.run();
    brokers.die();
    rig.passAndRun(Duration.ofSeconds(1));
    assertThat(rig.publisher.status())
        .isEqualTo(
            new PublisherStatus(
                PublisherStatus.State.RETRYING, "the producer's network thread has died"));
    rig.passAndRun(Duration.ofSeconds(1));

    assertThat(brokers.opened()).isEqualTo(2);
    brokers.acknowledgeAll();
    rig.run();
    assertThat(state()).isEqualTo(publishing());
    assertThat(rig.publisher.queuedReadings()).isZero();
  }

  @Test
  void failedSending_isReportedUntilSomethingIsAcknowledged() {
    rig.publisher.offer(new Reading("pump", 1, 1));
    rig.publisher.flushAsync();
    rig.run();
    brokers.failAll();
    rig.run();
    assertThat(rig.publisher.status())
        .isEqualTo(new PublisherStatus(PublisherStatus.State.RETRYING, "the brokers failed"));
    rig.passAndRun(Duration.ofSeconds(10));
    assertThat(state()).as("a producer alone proves nothing").isNotEqualTo(publishing());

    brokers.acknowledgeAll();
    rig.run();
    assertThat(state()).isEqualTo(publishing());
  }

  @Test
  void mutedPartition_isReported() {
    brokers.takeUpTo(10);
    rig.publisher.offer(new Reading("pump", 1, 1));
    rig.publisher.flushAsync();
    for (int turns = 0; turns < 5; turns++) {
      rig.passAndRun(Duration.ofSeconds(1));
      brokers.acknowledgeAll();
    }
    rig.run();

    assertThat(state()).isEqualTo(PublisherStatus.State.HELD);
    assertThat(rig.publisher.status().isPublishing()).isTrue();
  }

  private PublisherStatus.State state() {
    return rig.publisher.status().state();
  }

  private static PublisherStatus.State publishing() {
    return PublisherStatus.State.PUBLISHING;
  }

  private double gauge(String name) {
    return rig.registry.get(name).gauge().value();
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InterruptedCloseTest {
  @Test
  void close_ofAnInterruptedThread_sendsEverything_andKeepsTheFlag() {
    CountDownLatch closing = new CountDownLatch(1);
    FakeBrokers brokers = FakeBrokers.answering();
    ReadingPublisher publisher =
        started(
            PublisherRig.builder()
                .journal(
                    batches -> {
                      try {
                        closing.await();
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    })
                .build(),
            brokers);
    for (int i = 1; i <= 8_000; i++) {
      assertThat(publisher.offer(new Reading("pump-" + i % 100, i, i))).isEqualTo(Offer.ACCEPTED);
    }
    Thread.currentThread().interrupt();
    closing.countDown();
    CloseReport report = publisher.close(Duration.ofSeconds(30));

    assertThat(Thread.interrupted()).as("the flag of the caller").isTrue();
    assertThat(report.unsentReadings()).isZero();
  }

  @Test
  void close_thatRunsOutOfTime_doesNotInterruptTheJournal() throws InterruptedException {
    CountDownLatch inJournal = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    BatchJournal journal =
        (List<SequencedBatch> batches) -> {
          inJournal.countDown();
          try {
            closed.await();
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
        };
    ReadingPublisher publisher =
        started(
            PublisherRig.builder().flushInterval(Duration.ZERO).journal(journal).build(),
            FakeBrokers.answering());
    publisher.offer(new Reading("pump", 1, 1));
    inJournal.await();
    Thread closer = new Thread(() -> publisher.close(Duration.ofMillis(1)));
    closer.start();
    // The close gives the thread five seconds more; an interrupt would come at their beginning.
    while (!publisher.core().sendLoop().isCancelled()) {
      Thread.onSpinWait();
    }
    closed.countDown();
    closer.join();

    assertThat(interrupted).isFalse();
    assertThat(publisher.state().unacknowledged()).hasSize(1);
  }

  private static ReadingPublisher started(PublisherSettings settings, BatchSender.Factory senders) {
    ReadingPublisher publisher =
        PublisherRig.publisher(settings, new SimpleMeterRegistry(), senders);
    publisher.core().thread().start();
    return publisher;
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.reading.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PublisherThreadsTest {
  private static final int THREADS = 4;
  private static final int READINGS = 50_000;
  private static final int SENSORS = 300;

  @Test
  void manyThreads_offeringAtOnce_loseNothingAndKeepEachSensorsOrder() throws Exception {
    FlakySenders brokers = new FlakySenders(99);
    AtomicInteger acknowledged = new AtomicInteger();
    ReadingPublisher publisher =
        PublisherRig.publisher(
            PublisherRig.builder()
                .batchMaxReadings(50)
                .queueCapacity(5_000)
                .flushInterval(Duration.ofMillis(1))
                .build(),
            new SimpleMeterRegistry(),
            brokers);
    publisher.core().thread().start();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> offering = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      offering.add(threads.submit(offerAll(publisher, thread, acknowledged)));
    }
    for (Future<?> future : offering) {
      future.get();
    }
    threads.shutdown();
    CloseReport report = publisher.close(Duration.ofSeconds(60));

    assertThat(report.unsentReadings()).isZero();
    assertThat(acknowledged).hasValue(THREADS * READINGS);
    Map<String, List<Reading>> bySensor = TopicReader.readingsBySensor(brokers.topic());
    assertThat(bySensor).hasSize(THREADS * SENSORS);
    bySensor.forEach(
        (sensor, readings) -> {
          assertThat(readings).as(sensor).hasSizeGreaterThanOrEqualTo(READINGS / SENSORS);
          assertThat(readings).isSortedAccordingTo((a, b) -> Double.compare(a.value(), b.value()));
        });
  }

  private static Callable<Void> offerAll(
      ReadingPublisher publisher, int thread, AtomicInteger acknowledged) {
    return () -> {
      for (int i = 0; i < READINGS; i++) {
        Reading reading = new Reading("s-" + thread + "-" + i % SENSORS, 1 + i, i);
        while (publisher.offer(reading, acknowledged::incrementAndGet) != Offer.ACCEPTED) {
          Thread.onSpinWait();
        }
        if (i % 10_000 == 0) {
          publisher.flush();
        }
      }
      return null;
    };
  }

  /** Brokers that answer at once, and fail now and then; but rarely, as each time is waited for. */
  private static final class FlakySenders implements BatchSender.Factory {
    private final Random random;
    private final FakeBrokers brokers = FakeBrokers.answering();
    private int failuresLeft = 4;

    FlakySenders(long seed) {
      random = new Random(seed);
    }

    List<List<byte[]>> topic() {
      return brokers.topic();
    }

    @Override
    public BatchSender open() {
      BatchSender sender = brokers.open();
      return new BatchSender() {
        @Override
        public void send(SequencedBatch batch, Outcome outcome) {
          sender.send(batch, outcome);
          if (failuresLeft > 0 && random.nextInt(300) == 0) {
            failuresLeft--;
            throw new IllegalStateException("failed after it was sent");
          }
        }

        @Override
        public void close() {
          sender.close();
        }
      };
    }
  }
}

package io.weir.edge;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.reading.Reading;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The two halves of publishing: taking a reading in, and making it part of a batch that goes. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OfferBenchmark {
  private static final int READINGS = 200_000;
  private static final int SENSORS = 10_000;

  /** A publisher without a thread, whose brokers take everything at once. */
  private static ReadingPublisher publisher() {
    BatchSender sender =
        new BatchSender() {
          @Override
          public void send(SequencedBatch batch, Outcome outcome) {
            outcome.accept(null);
          }

          @Override
          public void close() {}
        };
    PublisherSettings settings =
        PublisherSettings.builder("gateway-7").bootstrapServers("localhost:9092").build();
    return PublisherRig.publisher(settings, new CompositeMeterRegistry(), () -> sender);
  }

  private static Reading[] readings() {
    SplittableRandom random = new SplittableRandom(42);
    Reading[] readings = new Reading[READINGS];
    for (int i = 0; i < READINGS; i++) {
      String id = String.format("sensor-%07d", i % SENSORS);
      double value = (2000 + random.nextInt(500)) / 100.0;
      readings[i] = new Reading(id, 1_600_000_000_000L + i / SENSORS * 100L, value);
    }
    return readings;
  }

  private static void offerAll(ReadingPublisher publisher, Reading[] readings) {
    for (Reading reading : readings) {
      if (publisher.offer(reading) != Offer.ACCEPTED) {
        throw new IllegalStateException("not accepted");
      }
    }
  }

  private static void shipAll(ReadingPublisher publisher) {
    publisher.flushAsync();
    while (publisher.queuedReadings() > 0) {
      publisher.core().sendLoop().runOnce();
    }
  }

  /** Offers into a publisher that is emptied after each round. */
  @State(Scope.Thread)
  public static class Empty {
    private final Reading[] readings = readings();
    private final ReadingPublisher publisher = publisher();

    @TearDown(Level.Invocation)
    public void ship() {
      shipAll(publisher);
    }
  }

  /** A publisher that is filled before each round. */
  @State(Scope.Thread)
  public static class Filled {
    private final Reading[] readings = readings();
    private final ReadingPublisher publisher = publisher();

    @Setup(Level.Invocation)
    public void offer() {
      offerAll(publisher, readings);
    }
  }

  @Benchmark
  @OperationsPerInvocation(READINGS)
  public void perOffer(Empty state) {
    offerAll(state.publisher, state.readings);
  }

  /** Grouping, encoding, handing over, settling; without Kafka and its compression. */
  @Benchmark
  @OperationsPerInvocation(READINGS)
  public void shipPerReading(Filled state) {
    shipAll(state.publisher);
  }
}

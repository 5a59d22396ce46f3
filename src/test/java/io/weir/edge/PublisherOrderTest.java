package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Histories of brokers that lose answers, expire, refuse, find batches too large and let old
 * requests arrive late. Whatever they do: each sensor's readings are on the topic in the order of
 * their offers, repeats aside.
 */
class PublisherOrderTest {
  private static final int HISTORIES = 2_000;
  private static final String[] SENSORS = {"pump", "fan", "belt", "gauge-é", "valve", "m", "n"};

  @Test
  void failingExpiringAndRefusedSends_keepEachSensorsOrderAndLoseNothing() {
    for (long seed = 1; seed <= HISTORIES; seed++) {
      new History(seed).play();
    }
  }

  private static final class History {
    private final long seed;
    private final Random random;
    private final PublisherRig rig;
    private final Map<String, List<Reading>> accepted = new HashMap<>();
    private final List<CompletableFuture<Void>> flushes = new ArrayList<>();
    private final List<Integer> acknowledgements = new ArrayList<>();
    private int offers;

    History(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.rig =
          PublisherRig.with(
              settings ->
                  settings
                      .batchMaxReadings(1 + random.nextInt(6))
                      .queueCapacity(20 + random.nextInt(200))
                      .journal(new MoodyJournal(random)));
    }

    void play() {
      for (int steps = 0; steps < 60; steps++) {
        step();
      }
      rig.drain();

      assertThat(TopicReader.readingsBySensor(rig.brokers.topic()))
          .as("seed %d", seed)
          .isEqualTo(accepted);
      assertThat(acknowledgements)
          .as("each acknowledged once, seed %d", seed)
          .doesNotHaveDuplicates()
          .hasSize(accepted.values().stream().mapToInt(List::size).sum());
      assertThat(flushes).as("seed %d", seed).allMatch(CompletableFuture::isDone);
    }

    private void step() {
      switch (random.nextInt(5)) {
        case 0, 1 -> offerSome();
        case 2 -> rig.brokers.actAtRandom(random);
        case 3 -> rig.pass(Duration.ofMillis(random.nextInt(2_000)));
        default -> flushes.add(rig.publisher.flushAsync());
      }
      for (int turns = random.nextInt(4); turns > 0; turns--) {
        rig.runOnce();
      }
    }

    private void offerSome() {
      for (int left = random.nextInt(20); left > 0; left--) {
        int number = ++offers;
        String sensor = SENSORS[random.nextInt(SENSORS.length)];
        Reading reading = new Reading(sensor, 1 + random.nextInt(1_000), number);
        if (rig.publisher.offer(reading, () -> acknowledgements.add(number)) == Offer.ACCEPTED) {
          accepted.computeIfAbsent(sensor, id -> new ArrayList<>()).add(reading);
        }
      }
    }
  }

  /** A journal whose disk is full now and then. */
  private record MoodyJournal(Random random) implements BatchJournal {
    @Override
    public void beforeFirstSend(List<SequencedBatch> batches) throws IOException {
      if (random.nextInt(10) == 0) {
        throw new IOException("no space left on device");
      }
    }
  }
}

package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Quality;
import io.weir.reading.Reading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PublisherFoldingTest {
  private final FakeBrokers brokers = FakeBrokers.answering();
  private final PublisherRig rig =
      new PublisherRig(
          brokers,
          settings -> settings.folding(Folding.LAST_OF_SENSOR_AND_TIMESTAMP),
          PublisherRig.BOOT_ID);

  @Test
  void readingsOfOneSensorAndTimestamp_folded_areTheLastOne() {
    AtomicInteger acknowledged = new AtomicInteger();
    rig.publisher.offer(new Reading("pump", 1, 1.0), acknowledged::incrementAndGet);
    rig.publisher.offer(new Reading("pump", 2, 2.0), acknowledged::incrementAndGet);
    rig.publisher.offer(new Reading("pump", 1, 3.0, Quality.BAD), acknowledged::incrementAndGet);
    rig.drain();

    assertThat(TopicReader.readingsBySensor(brokers.topic()).get("pump"))
        .containsExactly(new Reading("pump", 1, 3.0, Quality.BAD), new Reading("pump", 2, 2.0));
    assertThat(acknowledged).hasValue(3);
  }

  @Test
  void randomReadings_folded_areThoseOfAMap() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      FakeBrokers fresh = FakeBrokers.answering();
      PublisherRig folding =
          new PublisherRig(
              fresh,
              settings -> settings.folding(Folding.LAST_OF_SENSOR_AND_TIMESTAMP),
              PublisherRig.BOOT_ID);
      Map<List<Object>, Reading> expected = new HashMap<>();
      for (int left = random.nextInt(500); left > 0; left--) {
        Reading reading =
            new Reading("s" + random.nextInt(5), 1 + random.nextInt(60), random.nextDouble());
        folding.publisher.offer(reading);
        expected.put(List.of(reading.sensorId(), reading.timestampMs()), reading);
      }
      folding.drain();

      assertThat(
              TopicReader.readingsBySensor(fresh.topic()).values().stream().flatMap(List::stream))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(expected.values());
    }
  }
}

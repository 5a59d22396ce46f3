package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A sensor that is published as several ids. */
class PublisherSplitTest {
  @Test
  void readings_goRoundTheParts_andOthersStayWhole() throws Exception {
    PublisherRig rig = PublisherRig.with(settings -> settings.splitInto("vib-1", 3));
    for (int i = 0; i < 7; i++) {
      assertThat(rig.offer("vib-1", 1_000 + i, i)).isEqualTo(Offer.ACCEPTED);
      assertThat(rig.offer("vib-10", 1_000 + i, i)).isEqualTo(Offer.ACCEPTED);
    }
    rig.drain();

    Map<String, List<Reading>> topic = TopicReader.readingsBySensor(rig.brokers.topic());
    assertThat(topic).containsOnlyKeys("vib-1/1", "vib-1/2", "vib-1/3", "vib-10");
    assertThat(topic.get("vib-1/1")).extracting(Reading::value).containsExactly(0.0, 3.0, 6.0);
    assertThat(topic.get("vib-1/3")).extracting(Reading::value).containsExactly(2.0, 5.0);
    assertThat(topic.get("vib-10")).hasSize(7);
  }

  /**
   * Each part has every so many-th accepted reading, in their order, however many are suspended.
   */
  @Test
  void suspendedReading_isOfferedToTheSamePartAgain() throws Exception {
    long seed = Long.getLong("weir.seed", new Random().nextLong());
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    PublisherRig rig =
        PublisherRig.with(
            settings -> settings.splitInto("vib-1", 4).queueCapacity(16).batchMaxReadings(5));
    List<Double> accepted = new ArrayList<>();
    int suspended = 0;
    for (int i = 0; accepted.size() < 400; i++) {
      Offer offer = rig.offer("vib-1", 1_000 + accepted.size(), accepted.size());
      if (offer == Offer.ACCEPTED) {
        accepted.add((double) accepted.size());
      } else {
        suspended++;
      }
      if (random.nextInt(20) == 0) {
        rig.drain();
      }
    }
    rig.drain();

    assertThat(suspended).isPositive();
    Map<String, List<Reading>> topic = TopicReader.readingsBySensor(rig.brokers.topic());
    for (int part = 0; part < 4; part++) {
      int first = part;
      assertThat(topic.get("vib-1/" + (part + 1)))
          .extracting(Reading::value)
          .containsExactlyElementsOf(
              accepted.stream().filter(value -> value.intValue() % 4 == first).toList());
    }
  }

  @Test
  void parts_areFromTwoToAsManyAsPartitions() {
    assertThatThrownBy(() -> PublisherRig.builder().splitInto("vib-1", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 to 64");
    assertThatThrownBy(() -> PublisherRig.builder().splitInto("vib-1", 65))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

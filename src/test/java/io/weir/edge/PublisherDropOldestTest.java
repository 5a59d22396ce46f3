package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** DROP_OLDEST in memory: what is newest stays, and what is dropped is counted and a gap. */
class PublisherDropOldestTest {
  private final FakeBrokers brokers = new FakeBrokers();
  private final PublisherRig rig =
      new PublisherRig(
          brokers,
          settings ->
              settings.queueCapacity(1_000).batchMaxReadings(10).overflow(Overflow.DROP_OLDEST),
          PublisherRig.BOOT_ID);

  @Test
  void brokersAway_everyOfferIsAccepted_andTheNewestArriveInOrder() {
    brokers.refuseToOpen(true);
    for (int i = 1; i <= 5_000; i++) {
      assertThat(rig.offer("pump", i, i)).isEqualTo(Offer.ACCEPTED);
      rig.pass(Duration.ofMillis(1));
      rig.runOnce();
    }
    long queued = rig.publisher.queuedReadings();
    assertThat(queued).isBetween(850L, 901L);
    assertThat(dropped()).isEqualTo(5_000 - queued);

    rig.drain();
    assertThat(timestamps("pump"))
        .containsExactlyElementsOf(LongStream.rangeClosed(5_001 - queued, 5_000).boxed().toList());
    assertThat(firstSequence("pump"))
        .as("dropped batches are a gap")
        .isEqualTo(1 + (5_000 - queued) / 10);
  }

  @Test
  void oldest_isWhatWasOfferedFirst_ofAllPartitions() {
    brokers.refuseToOpen(true);
    for (int i = 1; i <= 300; i++) {
      rig.offer("pump", i, i);
    }
    for (int i = 1; i <= 700; i++) {
      rig.pass(Duration.ofMillis(1));
      rig.offer("fan", i, i);
      rig.runOnce();
    }
    rig.drain();

    assertThat(timestamps("fan")).hasSize(700);
    assertThat(timestamps("pump")).hasSize((int) (300 - dropped())).hasSizeLessThan(300);
  }

  @Test
  void partitionWithoutALeader_dropsItsOwnAlone() {
    brokers.leaderless(Set.of(SensorPartition.of("pump")));
    for (int i = 1; i <= 20_000; i++) {
      assertThat(rig.offer("pump", i, i)).isEqualTo(Offer.ACCEPTED);
      assertThat(rig.offer("fan", i, i)).isEqualTo(Offer.ACCEPTED);
      if (i % 10 == 0) {
        rig.passAndRun(Duration.ofMillis(20));
        brokers.acknowledgeAll();
        rig.run();
      }
    }
    assertThat(timestamps("fan")).hasSize(20_000);
    assertThat(dropped()).isPositive();

    brokers.leaderless(Set.of());
    rig.drain();
    assertThat(timestamps("pump")).hasSize((int) (20_000 - dropped())).isSorted();
  }

  @Test
  void flush_ofWhatIsDropped_ends() {
    brokers.refuseToOpen(true);
    rig.offer("pump", 1, 1);
    CompletableFuture<Void> flush = rig.publisher.flushAsync();
    for (int i = 2; i <= 2_000; i++) {
      rig.offer("pump", i, i);
      rig.runOnce();
    }
    assertThat(flush).isDone();
  }

  private double dropped() {
    return rig.registry.get(PublisherMetrics.DROPPED).counter().count();
  }

  private long firstSequence(String sensor) {
    byte[] first = brokers.topic(SensorPartition.of(sensor)).get(0);
    return TopicReader.parse(first).getSequence();
  }

  /** Of the sensor's readings on the topic, repeats left out. */
  private List<Long> timestamps(String sensor) {
    List<Long> timestamps = new ArrayList<>();
    long last = 0;
    for (byte[] value : brokers.topic(SensorPartition.of(sensor))) {
      ReadingBatch batch = TopicReader.parse(value);
      if (batch.getSequence() > last) {
        last = batch.getSequence();
        TopicReader.readings(batch).stream().map(Reading::timestampMs).forEach(timestamps::add);
      }
    }
    return timestamps;
  }
}

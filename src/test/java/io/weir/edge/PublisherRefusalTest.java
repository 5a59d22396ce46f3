package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Batches that the brokers refuse as too large, until somebody raises the limit. */
class PublisherRefusalTest {
  private static final int LIMIT_BYTES = 400;
  private static final int LARGE = 100;

  private final FakeBrokers brokers = FakeBrokers.answering();
  private final PublisherRig rig =
      new PublisherRig(brokers, settings -> settings.batchMaxReadings(LARGE), PublisherRig.BOOT_ID);
  private final List<Reading> accepted = new ArrayList<>();

  @Test
  void refusedBatch_holdsItsPartition_andCostsOneProducer() {
    brokers.takeUpTo(LIMIT_BYTES);
    offerLargeBatch("pump");
    settleAt(Duration.ZERO);
    for (int tries = 0; tries < 20; tries++) {
      settleAt(Duration.ofSeconds(10));
    }

    assertThat(brokers.opened()).isEqualTo(2);
    assertThat(heldPartitions()).isEqualTo(1);
    assertThat(brokers.wholeTopic()).isEmpty();
    assertThat(rig.publisher.queuedReadings()).isEqualTo(LARGE);
  }

  @Test
  void neighbours_ofAHeldPartition_goOnWithTheSameProducer() {
    brokers.takeUpTo(LIMIT_BYTES);
    offerLargeBatch("pump");
    settleAt(Duration.ZERO);
    settleAt(Duration.ofSeconds(1));
    int opened = brokers.opened();
    for (int i = 1; i <= 50; i++) {
      rig.offer("fan", i, i);
      settleAt(Duration.ofSeconds(1));
    }

    assertThat(brokers.opened()).isEqualTo(opened);
    assertThat(sequences("fan")).containsExactlyElementsOf(upTo(50));
  }

  @Test
  void heldPartitions_withMuchBehindThem_leaveNeighboursTheirRoom() {
    brokers.takeUpTo(LIMIT_BYTES);
    for (int batches = 0; batches < 1_200; batches++) {
      offerLargeBatch("pump-" + batches % 4);
    }
    settleAt(Duration.ofSeconds(1));
    settleAt(Duration.ofSeconds(1));
    for (int i = 1; i <= 50; i++) {
      rig.offer("fan", i, i);
      settleAt(Duration.ofMillis(20));
    }

    assertThat(sequences("fan")).containsExactlyElementsOf(upTo(50));
  }

  @Test
  void limitRaised_theHeldPartitionGoesOnInOrder_asItWas() {
    brokers.takeUpTo(LIMIT_BYTES);
    for (int batches = 0; batches < 30; batches++) {
      offerLargeBatch("pump");
      rig.offer("pump", 1 + batches, -1);
      accepted.add(new Reading("pump", 1 + batches, -1));
      settleAt(Duration.ofMillis(700));
    }
    assertThat(brokers.wholeTopic()).isEmpty();

    brokers.takeUpTo(Integer.MAX_VALUE);
    settleAt(Duration.ofSeconds(10));

    assertThat(TopicReader.readingsBySensor(brokers.topic()).get("pump")).isEqualTo(accepted);
    assertThat(heldPartitions()).isZero();
    assertThat(rig.publisher.queuedReadings()).isZero();
  }

  @Test
  void limitThatAllPartitionsExceed_costsOneProducer() {
    brokers.takeUpTo(LIMIT_BYTES);
    for (int sensor = 0; sensor < 200; sensor++) {
      offerLargeBatch("sensor-" + sensor);
    }
    settleAt(Duration.ofSeconds(1));
    settleAt(Duration.ofSeconds(10));

    assertThat(brokers.opened()).isEqualTo(2);
    assertThat(heldPartitions()).isGreaterThan(50);
  }

  @Test
  void turn_withAPartitionHeld_asksForTheNextOneAtItsRetry() {
    brokers.takeUpTo(LIMIT_BYTES);
    offerLargeBatch("pump");
    settleAt(Duration.ZERO);
    settleAt(Duration.ofNanos(Backoff.MIN_NANOS));

    assertThat(rig.runOnce()).isBetween(Backoff.MIN_NANOS, 2 * Backoff.MIN_NANOS);
  }

  @Test
  void close_withAPartitionHeld_handsOutItsBatches() {
    brokers.takeUpTo(LIMIT_BYTES);
    offerLargeBatch("pump");
    offerLargeBatch("pump");
    settleAt(Duration.ofSeconds(1));

    CloseReport report = rig.closeAfter(Duration.ofSeconds(3));

    assertThat(report.unsentReadings()).isEqualTo(2 * LARGE);
    assertThat(report.state().orElseThrow().unacknowledged())
        .extracting(SequencedBatch::sequence)
        .containsExactly(1L, 2L);
  }

  /** Lets time pass, then takes as many turns as any answer may need. */
  private void settleAt(Duration later) {
    rig.pass(later);
    for (int turns = 0; turns < 50; turns++) {
      rig.runOnce();
    }
  }

  private void offerLargeBatch(String sensor) {
    for (int i = 1; i <= LARGE; i++) {
      Reading reading = new Reading(sensor, i, i);
      assertThat(rig.publisher.offer(reading)).isEqualTo(Offer.ACCEPTED);
      accepted.add(reading);
    }
  }

  private double heldPartitions() {
    return rig.registry.get(PublisherMetrics.HELD_PARTITIONS).gauge().value();
  }

  private List<Long> sequences(String sensor) {
    return brokers.topic(SensorPartition.of(sensor)).stream()
        .map(TopicReader::parse)
        .map(ReadingBatch::getSequence)
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}

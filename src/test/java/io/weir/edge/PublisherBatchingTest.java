package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Limits;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublisherBatchingTest {
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(20);

  private final FakeBrokers brokers = FakeBrokers.answering();

  private PublisherRig rig(int batchMaxReadings) {
    return new PublisherRig(
        brokers,
        settings -> settings.batchMaxReadings(batchMaxReadings).flushInterval(FLUSH_INTERVAL),
        PublisherRig.BOOT_ID);
  }

  @Test
  void batch_holdingTheMost_isSentAtOnce() {
    PublisherRig rig = rig(3);
    for (int i = 1; i <= 7; i++) {
      rig.offer("pump", i, i);
    }
    rig.run();

    assertThat(sizes("pump")).containsExactly(3, 3);
  }

  @Test
  void batch_afterTheFlushIntervalOfItsFirstReading_isSent() {
    PublisherRig rig = rig(1000);
    rig.offer("pump", 1, 1);
    rig.passAndRun(FLUSH_INTERVAL.minusNanos(1));
    rig.offer("pump", 2, 2);
    rig.run();
    assertThat(brokers.wholeTopic()).isEmpty();

    rig.passAndRun(Duration.ofNanos(1));

    assertThat(sizes("pump")).containsExactly(2);
  }

  @Test
  void turn_withAReadingWaiting_asksForTheNextOneWhenItIsDue() {
    PublisherRig rig = rig(1000);
    assertThat(rig.runOnce()).isEqualTo(Long.MAX_VALUE);
    rig.offer("pump", 1, 1);
    rig.pass(Duration.ofMillis(5));

    assertThat(rig.runOnce()).isEqualTo(Duration.ofMillis(15).toNanos());
  }

  @Test
  void partitions_thatBeganWithinOneInterval_areSentInOneTick() {
    PublisherRig rig = PublisherRig.with(settings -> settings);
    rig.run();
    rig.offer("pump", 1, 1);
    rig.passAndRun(Duration.ofMillis(10));
    rig.offer("fan", 1, 1);
    rig.passAndRun(Duration.ofMillis(9));
    assertThat(rig.brokers.unanswered()).isZero();
    rig.passAndRun(Duration.ofMillis(1));

    assertThat(rig.brokers.unanswered()).isEqualTo(2);
  }

  @Test
  void batches_keepWithinTheApplicationsLargestRecord() {
    PublisherRig rig =
        PublisherRig.with(
            settings -> settings.batchMaxReadings(1_000).limits(new Limits(4_096, 1_000, 256)));
    for (int i = 1; i <= 1_000; i++) {
      rig.offer("pump", i * 1_000_003L, Math.sqrt(i));
    }
    rig.drain();

    assertThat(rig.brokers.topic(SensorPartition.of("pump")))
        .hasSizeGreaterThan(1)
        .allMatch(value -> value.length <= 4_096);
  }

  @Test
  void sequences_ofEachPartition_countFromOne() {
    PublisherRig rig = rig(1);
    rig.offer("pump", 1, 1);
    rig.offer("fan", 1, 1);
    rig.offer("pump", 2, 2);
    rig.run();

    assertThat(SensorPartition.of("pump")).isNotEqualTo(SensorPartition.of("fan"));
    assertThat(batches("pump")).extracting(ReadingBatch::getSequence).containsExactly(1L, 2L);
    assertThat(batches("fan")).extracting(ReadingBatch::getSequence).containsExactly(1L);
    assertThat(batches("pump"))
        .allMatch(batch -> batch.getBootId() == PublisherRig.BOOT_ID)
        .allMatch(batch -> batch.getGatewayId().equals("gateway-7"));
  }

  @Test
  void batch_ofLongestIds_staysBelowTheLargestRecord() {
    PublisherRig rig = rig(10_000);
    List<Reading> offered = new ArrayList<>();
    for (int i = 0; offered.size() < 10_000; i++) {
      String id = "é".repeat(124) + i;
      if (SensorPartition.of(id) == 0) {
        offered.add(new Reading(id, Long.MAX_VALUE - i, i));
        rig.publisher.offer(offered.get(offered.size() - 1));
      }
    }
    rig.drain();

    assertThat(brokers.topic(0))
        .hasSizeGreaterThan(1)
        .allMatch(value -> value.length < (1 << 20) - 1000);
    assertThat(brokers.topic(0).stream().map(TopicReader::parse))
        .flatMap(TopicReader::readings)
        .containsExactlyElementsOf(offered);
  }

  @Test
  void negativeZero_isSentAsItIs() {
    PublisherRig rig = rig(1);
    rig.offer("pump", 1, -0.0);
    rig.run();

    double sent = TopicReader.readings(batches("pump").get(0)).get(0).value();
    assertThat(Double.doubleToRawLongBits(sent)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void flush_sendsWhatWaits_andCompletesWhenItIsAcknowledged() {
    PublisherRig rig = PublisherRig.with(settings -> settings);
    rig.offer("pump", 1, 1);
    rig.offer("fan", 1, 1);
    var done = rig.publisher.flushAsync();
    rig.run();
    rig.offer("pump", 2, 2);

    rig.brokers.acknowledge(SensorPartition.of("pump"), 1);
    rig.run();
    assertThat(done).isNotDone();
    rig.brokers.acknowledge(SensorPartition.of("fan"), 1);
    rig.run();

    assertThat(done).isCompleted();
    assertThat(rig.publisher.queuedReadings()).as("the one offered after the flush").isOne();
  }

  @Test
  void flush_withNothingWaiting_isDoneAtOnce() {
    assertThat(rig(10).publisher.flushAsync()).isCompleted();
  }

  @Test
  void flush_ofABatchInFlight_waitsForIt() {
    PublisherRig rig = PublisherRig.with(settings -> settings.batchMaxReadings(1));
    rig.offer("pump", 1, 1);
    rig.run();
    var done = rig.publisher.flushAsync();
    rig.run();
    assertThat(done).isNotDone();

    rig.brokers.acknowledgeAll();
    rig.run();

    assertThat(done).isCompleted();
  }

  private List<ReadingBatch> batches(String sensorId) {
    return brokers.topic(SensorPartition.of(sensorId)).stream().map(TopicReader::parse).toList();
  }

  private List<Integer> sizes(String sensorId) {
    return batches(sensorId).stream().map(batch -> TopicReader.readings(batch).size()).toList();
  }
}

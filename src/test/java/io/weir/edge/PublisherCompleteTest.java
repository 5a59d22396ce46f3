package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a publisher says about the completeness of sensors, and when it says nothing. */
class PublisherCompleteTest {
  private static final Duration FLUSH = Duration.ofMillis(20);

  @TempDir private Path dir;

  private final FakeBrokers brokers = FakeBrokers.answering();

  @Test
  void attestationAlone_leavesWithinTheFlushInterval_andFlushWaitsForIt() {
    PublisherRig rig = rig(settings -> settings);
    assertThat(rig.publisher.complete("pump", 1_000)).isEqualTo(Offer.ACCEPTED);
    rig.run();
    assertThat(batches("pump")).isEmpty();
    rig.passAndRun(FLUSH);
    assertThat(said("pump")).containsExactly(Map.of("pump", 1_000L));

    FakeBrokers silent = new FakeBrokers();
    PublisherRig waiting = new PublisherRig(silent, settings -> settings, PublisherRig.BOOT_ID);
    waiting.publisher.complete("pump", 1_000);
    CompletableFuture<Void> flush = waiting.publisher.flushAsync();
    waiting.run();
    assertThat(flush).isNotDone();
    silent.acknowledgeAll();
    waiting.run();
    assertThat(flush).isCompleted();
  }

  @Test
  void close_sendsWhatWasAttestedLast() {
    PublisherRig rig = rig(settings -> settings);
    rig.offer("pump", 5, 5);
    rig.passAndRun(FLUSH);
    rig.publisher.complete("pump", 10_000);
    rig.closeAfter(Duration.ofSeconds(1));
    assertThat(said("pump")).containsExactly(Map.of(), Map.of("pump", 10_000L));
  }

  @Test
  void ofOneSensorTheNewestIsSent_withTheReadingsBeforeIt() {
    PublisherRig rig = rig(settings -> settings);
    rig.offer("pump", 5, 5);
    rig.publisher.complete("pump", 10);
    rig.publisher.complete("pump", 7);
    rig.offer("pump", 12, 12);
    rig.publisher.complete("pump", 20);
    rig.passAndRun(FLUSH);

    assertThat(said("pump")).containsExactly(Map.of("pump", 20L));
    assertThat(TopicReader.readings(batches("pump").get(0))).hasSize(2);
  }

  @Test
  void whatNoReadingMayHave_isRefused_andAClosedPublisherTakesNothing() {
    PublisherRig rig = rig(settings -> settings.maxIdBytes(10));
    assertThat(rig.publisher.complete("", 1)).isEqualTo(Offer.REFUSED_MISSING_SENSOR_ID);
    assertThat(rig.publisher.complete("12345678901", 1))
        .isEqualTo(Offer.REFUSED_SENSOR_ID_TOO_LONG);
    assertThat(rig.publisher.complete("\ud800", 1)).isEqualTo(Offer.REFUSED_SENSOR_ID_NOT_TEXT);
    assertThat(rig.publisher.complete("pump", 0)).isEqualTo(Offer.REFUSED_INVALID_TIMESTAMP);
    rig.closeAfter(Duration.ofSeconds(1));
    assertThat(rig.publisher.complete("pump", 1)).isEqualTo(Offer.CLOSED);
    assertThat(brokers.wholeTopic()).isEmpty();
  }

  @Test
  void attestationsTakeRoom_andGiveItBack() {
    PublisherRig rig =
        new PublisherRig(
            new FakeBrokers(), s -> s.queueCapacityBytes(1 << 16), PublisherRig.BOOT_ID);
    int accepted = 0;
    while (rig.publisher.complete("sensor-" + accepted, 1) == Offer.ACCEPTED) {
      accepted++;
      assertThat(rig.publisher.complete("sensor-0", accepted)).isNotEqualTo(Offer.CLOSED);
    }
    assertThat(accepted).isBetween(400, 1_024);
    rig.publisher.flushAsync();
    rig.passAndRun(FLUSH);
    rig.brokers.acknowledgeAll();
    rig.run();
    assertThat(rig.registry.get(PublisherMetrics.QUEUE_BYTES).gauge().value()).isZero();
    assertThat(rig.publisher.complete("pump", 1)).isEqualTo(Offer.ACCEPTED);
  }

  @Test
  void batch_isFullWithReadingsAndAttestationsTogether() {
    PublisherRig rig = rig(settings -> settings.batchMaxReadings(4));
    List<String> sensors = neighboursOf("pump", 5);
    sensors.forEach(sensor -> rig.offer(sensor, 1, 1));
    sensors.forEach(sensor -> rig.publisher.complete(sensor, 10));
    rig.passAndRun(FLUSH);

    assertThat(batches("pump"))
        .hasSize(3)
        .allMatch(batch -> batch.getSeriesCount() + batch.getCompleteCount() <= 4);
  }

  @Test
  void ordered_isSetOnEveryBatch() {
    PublisherRig rig = rig(settings -> settings.ordered(true).batchMaxReadings(2));
    for (int i = 1; i <= 6; i++) {
      rig.offer("pump", i / 2 + 1, i);
    }
    rig.passAndRun(FLUSH);
    assertThat(batches("pump")).hasSize(3).allMatch(ReadingBatch::getOrdered);
    assertThat(batches("pump")).allMatch(batch -> batch.getCompleteCount() == 0);
  }

  @Test
  void readingOutOfOrder_isCounted_andItsBatchAttestsTheOtherSensorsOnly() {
    PublisherRig rig = rig(settings -> settings.ordered(true));
    List<String> sensors = neighboursOf("pump", 2);
    String other = sensors.get(1);
    rig.offer("pump", 100, 1);
    rig.offer(other, 100, 1);
    rig.passAndRun(FLUSH);
    rig.offer("pump", 99, 2);
    rig.offer("pump", 101, 3);
    rig.offer(other, 110, 2);
    rig.passAndRun(FLUSH);
    rig.offer("pump", 102, 4);
    rig.passAndRun(FLUSH);

    assertThat(said("pump"))
        .containsExactly(
            Map.of("pump", 100L, other, 100L), Map.of(other, 110L), Map.of("pump", 102L));
    assertThat(count(rig, PublisherMetrics.OUT_OF_ORDER)).isEqualTo(1);
  }

  @Test
  void suspendedReading_keepsItsSensorFromBeingOrdered_untilItIsOfferedAgain() {
    PublisherRig rig =
        new PublisherRig(
            new FakeBrokers(),
            s -> s.ordered(true).queueCapacity(2).suspendThresholdPercent(100),
            PublisherRig.BOOT_ID);
    assertThat(rig.offer("pump", 1, 1)).isEqualTo(Offer.ACCEPTED);
    assertThat(rig.offer("pump", 2, 2)).isEqualTo(Offer.ACCEPTED);
    assertThat(rig.offer("pump", 3, 3)).isEqualTo(Offer.SUSPENDED);
    settle(rig);
    rig.offer("pump", 4, 4);
    settle(rig);
    rig.offer("pump", 3, 3);
    settle(rig);
    rig.offer("pump", 5, 5);
    settle(rig);

    assertThat(rig.brokers.topic(SensorPartition.of("pump")).stream().map(TopicReader::parse))
        .map(AttestedTopic::through)
        .containsExactly(Map.of("pump", 2L), Map.of(), Map.of(), Map.of("pump", 5L));
  }

  @Test
  void droppedBatch_endsAttestationsOfItsPartition() {
    FakeBrokers away = new FakeBrokers();
    away.refuseToOpen(true);
    PublisherRig rig =
        new PublisherRig(
            away,
            s ->
                s.ordered(true)
                    .queueCapacity(100)
                    .batchMaxReadings(10)
                    .overflow(Overflow.DROP_OLDEST),
            PublisherRig.BOOT_ID);
    rig.publisher.complete("pump", 1);
    for (int i = 1; i <= 500; i++) {
      rig.offer("pump", i, i);
      rig.runOnce();
    }
    rig.publisher.complete("pump", 400);
    rig.offer("fan", 1, 1);
    rig.drain();
    rig.offer("pump", 501, 501);
    rig.drain();

    assertThat(AttestedTopic.accepted(away.topic(SensorPartition.of("pump")))).isEmpty();
    assertThat(TopicReader.parse(last(away, "pump")).getOrdered()).isFalse();
    assertThat(TopicReader.parse(last(away, "fan")).getOrdered()).isTrue();
    assertThat(count(rig, PublisherMetrics.ATTESTATIONS)).isEqualTo(2);
    assertThat(count(rig, PublisherMetrics.ATTESTATIONS_WITHHELD)).isEqualTo(2);
  }

  @Test
  void attestations_waitForTheBatchesOfTheEarlierStart() {
    FakeBrokers own = new FakeBrokers();
    PublisherRig first = new PublisherRig(own, settings -> settings, PublisherRig.BOOT_ID);
    first.offer("pump", 1, 1);
    first.run();
    own.forgetSender();
    PublisherState state = first.closeAfter(Duration.ZERO).state().orElseThrow();

    PublisherRig next =
        new PublisherRig(own, s -> s.startAfter(state).ordered(true), state.bootId() + 1);
    next.offer("pump", 20, 2);
    next.publisher.complete("pump", 15);
    next.publisher.complete("pump", 18);
    next.passAndRun(FLUSH);
    next.offer("pump", 21, 3);
    settle(next);
    settle(next);
    next.offer("pump", 22, 4);
    settle(next);

    assertThat(own.topic(SensorPartition.of("pump")).stream().map(TopicReader::parse))
        .extracting(AttestedTopic::through)
        .containsExactly(Map.of(), Map.of(), Map.of(), Map.of("pump", 18L), Map.of("pump", 22L));
  }

  @Test
  void heldBackAttestation_leavesWhenTheEarlierStartIsAcknowledged_thoughThePublisherCloses() {
    FakeBrokers own = new FakeBrokers();
    PublisherRig first = new PublisherRig(own, settings -> settings, PublisherRig.BOOT_ID);
    first.offer("pump", 1, 1);
    first.run();
    own.forgetSender();
    PublisherState state = first.closeAfter(Duration.ZERO).state().orElseThrow();

    PublisherRig next = new PublisherRig(own, s -> s.startAfter(state), state.bootId() + 1);
    next.publisher.complete("pump", 15);
    next.publisher.stopTaking(Duration.ofHours(1));
    settle(next);
    settle(next);
    assertThat(own.topic(SensorPartition.of("pump")).stream().map(TopicReader::parse))
        .extracting(AttestedTopic::through)
        .containsExactly(Map.of(), Map.of("pump", 15L));
    assertThat(next.runOnce()).isEqualTo(SendLoop.FINISHED);
  }

  @Test
  @SuppressWarnings("deprecation") // What is deprecated must go on working.
  void resumedStart_attestsAtOnce_asItsSequencesGoOn() {
    FakeBrokers own = new FakeBrokers();
    PublisherRig first = new PublisherRig(own, settings -> settings, PublisherRig.BOOT_ID);
    first.offer("pump", 1, 1);
    PublisherState state = first.closeAfter(Duration.ZERO).state().orElseThrow();

    PublisherRig next = new PublisherRig(own, s -> s.resumeFrom(state), state.bootId());
    next.publisher.complete("pump", 15);
    next.passAndRun(FLUSH);
    settle(next);
    assertThat(own.topic(SensorPartition.of("pump")).stream().map(TopicReader::parse))
        .extracting(AttestedTopic::through)
        .containsExactly(Map.of(), Map.of("pump", 15L));
  }

  @Test
  void damageOnDisk_endsAttestationsOfThatStart() throws IOException {
    FakeBrokers own = new FakeBrokers();
    PublisherRig first = new PublisherRig(own, settings -> settings, journal());
    own.refuseToOpen(true);
    for (int i = 1; i <= 3; i++) {
      first.offer("pump", i, i);
      first.passAndRun(FLUSH);
    }
    first.closeAfter(Duration.ZERO);
    damageTheFirstBatch();

    own.refuseToOpen(false);
    FileJournal journal = journal();
    PublisherRig next = new PublisherRig(own, s -> s.ordered(true), journal);
    next.offer("pump", 20, 20);
    next.publisher.complete("pump", 20);
    next.drain();
    next.offer("pump", 30, 30);
    next.drain();
    assertThat(own.topic(SensorPartition.of("pump"))).hasSize(4);
    assertThat(AttestedTopic.accepted(own.topic(SensorPartition.of("pump")))).isEmpty();
    journal.release();
  }

  private void damageTheFirstBatch() throws IOException {
    try (var files = Files.list(dir)) {
      Path segment =
          files.filter(file -> file.toString().endsWith(".log")).sorted().findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(segment);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      bytes[text.indexOf("pump")] ^= 1;
      Files.write(segment, bytes);
    }
  }

  private FileJournal journal() throws IOException {
    return FileJournal.open(dir, "gateway-7", 1 << 20, 5, 0);
  }

  private PublisherRig rig(UnaryOperator<PublisherSettings.Builder> settings) {
    return new PublisherRig(brokers, settings, PublisherRig.BOOT_ID);
  }

  private static void settle(PublisherRig rig) {
    rig.passAndRun(Duration.ofSeconds(1));
    rig.brokers.acknowledgeAll();
    rig.run();
  }

  /** The sensor and others of its partition. */
  private static List<String> neighboursOf(String sensor, int count) {
    List<String> others =
        IntStream.range(0, 100_000)
            .mapToObj(i -> "s" + i)
            .filter(id -> SensorPartition.of(id) == SensorPartition.of(sensor))
            .limit(count - 1)
            .toList();
    return Stream.concat(Stream.of(sensor), others.stream()).toList();
  }

  private List<ReadingBatch> batches(String sensor) {
    return brokers.topic(SensorPartition.of(sensor)).stream().map(TopicReader::parse).toList();
  }

  private List<Map<String, Long>> said(String sensor) {
    return batches(sensor).stream().map(AttestedTopic::through).toList();
  }

  private static byte[] last(FakeBrokers brokers, String sensor) {
    List<byte[]> topic = brokers.topic(SensorPartition.of(sensor));
    return topic.get(topic.size() - 1);
  }

  private static double count(PublisherRig rig, String counter) {
    return rig.registry.get(counter).functionCounter().count();
  }
}

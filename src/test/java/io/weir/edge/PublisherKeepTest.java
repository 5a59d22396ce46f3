package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A publisher that keeps its batches on disk: killed, started again, with brokers as they are. */
class PublisherKeepTest {
  private static final int HISTORIES = 60;
  private static final String[] SENSORS = {"pump", "fan", "belt", "valve", "m", "n", "o"};

  @TempDir private Path dir;

  private final FakeBrokers brokers = new FakeBrokers();
  private long clockMs = 1_782_579_200_000L;

  @Test
  void acknowledgement_comesWhenTheReadingIsOnDisk_withoutABroker() throws IOException {
    brokers.refuseToOpen(true);
    PublisherRig rig = rig(dir, 1 << 30);
    List<String> acknowledged = new ArrayList<>();
    rig.publisher.offer(new Reading("pump", 1, 1), () -> acknowledged.add("pump"));
    rig.publisher.offer(new Reading("fan", 1, 1), () -> acknowledged.add("fan"));
    rig.run();
    assertThat(acknowledged).isEmpty();
    rig.passAndRun(Duration.ofMillis(20));

    assertThat(acknowledged).as("both in one tick").containsExactlyInAnyOrder("pump", "fan");
    assertThat(rig.publisher.queuedReadings()).isEqualTo(2);
  }

  @Test
  void brokersAwayForLong_memoryStaysBounded_andAllArrivesInOrder() throws IOException {
    brokers.refuseToOpen(true);
    PublisherRig rig =
        new PublisherRig(brokers, settings -> settings.queueCapacity(2_000), journal(dir, 1 << 30));
    int offered = 0;
    for (int tick = 0; tick < 1_000; tick++) {
      for (int i = 0; i < 100; i++) {
        String sensor = SENSORS[offered % SENSORS.length];
        assertThat(rig.offer(sensor, ++offered, offered)).isEqualTo(Offer.ACCEPTED);
      }
      rig.passAndRun(Duration.ofMillis(20));
    }
    assertThat(rig.publisher.queuedReadings()).isEqualTo(offered);

    rig.drain();
    assertThat(total()).isEqualTo(offered);
    assertSorted();
  }

  /** More than stays in memory of a partition, all written by one turn. */
  @Test
  void manyBatchesOfAPartitionInOneTurn_allArriveInOrder() throws IOException {
    PublisherRig rig =
        new PublisherRig(brokers, settings -> settings.batchMaxReadings(1), journal(dir, 1 << 30));
    for (int i = 1; i <= 1_000; i++) {
      rig.offer("pump", i, i);
    }
    rig.run();

    rig.drain();
    assertThat(total()).isEqualTo(1_000);
    assertSorted();
  }

  @Test
  void close_withBrokersAway_leavesEverythingOnDisk() throws IOException {
    brokers.refuseToOpen(true);
    PublisherRig rig = rig(dir, 1 << 30);
    for (int i = 1; i <= 1_000; i++) {
      rig.offer("pump", i, i);
    }
    CloseReport report = rig.closeAfter(Duration.ZERO);
    assertThat(report.unsentReadings()).isEqualTo(1_000);
    assertThat(report.state()).isEmpty();

    rig(dir, 1 << 30).drain();
    assertThat(total()).isEqualTo(1_000);
    assertSorted();
  }

  @Test
  void fullDisk_suspends_orDropsTheOldestAndCounts() throws IOException {
    brokers.refuseToOpen(true);
    PublisherRig suspended =
        new PublisherRig(
            brokers, settings -> settings.queueCapacity(1_000), journal(dir.resolve("a"), 1 << 20));
    PublisherRig dropping =
        new PublisherRig(
            brokers,
            settings ->
                settings
                    .queueCapacity(1_000)
                    .keepIn(dir.resolve("b"))
                    .overflow(Overflow.DROP_OLDEST),
            journal(dir.resolve("b"), 1 << 20));
    int refused = 0;
    Random random = new Random(7);
    for (int i = 1; i <= 200_000; i++) {
      refused += suspended.offer("pump", i, random.nextDouble()) == Offer.SUSPENDED ? 1 : 0;
      assertThat(dropping.offer("pump", i, random.nextDouble())).isEqualTo(Offer.ACCEPTED);
      if (i % 500 == 0) {
        suspended.passAndRun(Duration.ofMillis(20));
        dropping.passAndRun(Duration.ofMillis(20));
      }
    }
    double dropped = dropping.registry.get(PublisherMetrics.DROPPED).counter().count();

    assertThat(refused).isPositive();
    assertThat(suspended.registry.get(PublisherMetrics.DROPPED).counter().count()).isZero();
    assertThat(dropped).isPositive();
    assertThat(dropping.publisher.queuedReadings()).isEqualTo(200_000 - (long) dropped);
  }

  @Test
  void replayRate_boundsWhatComesFromTheDisk_andNewReadingsWaitBehindIt() throws IOException {
    brokers.refuseToOpen(true);
    PublisherRig rig =
        new PublisherRig(
            brokers,
            settings -> settings.keepIn(dir).keepReplayRate(1_000).batchMaxReadings(100),
            journal(dir, 1 << 30));
    for (int i = 1; i <= 60_000; i++) {
      rig.offer("pump", i, i);
      if (i % 100 == 0) {
        rig.passAndRun(Duration.ofMillis(20));
      }
    }
    brokers.refuseToOpen(false);
    rig.passAndRun(Duration.ofSeconds(10));
    List<Long> afterEachSecond = new ArrayList<>();
    for (int second = 0; second < 10; second++) {
      for (int tick = 0; tick < 50; tick++) {
        brokers.acknowledgeAll();
        rig.passAndRun(Duration.ofMillis(20));
      }
      afterEachSecond.add(total());
    }
    for (int second = 1; second < 10; second++) {
      assertThat(afterEachSecond.get(second) - afterEachSecond.get(second - 1))
          .as("readings of second %d; all: %s", second, afterEachSecond)
          .isBetween(800L, 1_200L);
    }
    rig.drain();
    assertThat(total()).isEqualTo(60_000);
    assertSorted();
  }

  @Test
  void partitionWithoutALeader_waitsOnDisk_andTheOthersGoOn() throws IOException {
    Set<Integer> dead = Set.of(SensorPartition.of("pump"));
    brokers.leaderless(dead);
    PublisherRig rig = rig(dir, 1 << 30);
    for (int tick = 0; tick < 2_000; tick++) {
      rig.offer("pump", 1 + tick, 1);
      rig.offer("fan", 1 + tick, 1);
      rig.passAndRun(Duration.ofMillis(20));
      brokers.acknowledgeAll();
      rig.run();
    }
    assertThat(rig.publisher.queuedReadings()).isBetween(2_000L, 2_002L);

    brokers.leaderless(Set.of());
    rig.drain();
    assertThat(total()).isEqualTo(4_000);
    assertSorted();
  }

  /** Killed at any step and started again with a clock that goes anywhere. */
  @Test
  void kills_atAnyStep_loseNothingAcknowledged_andKeepTheOrder() throws IOException {
    long first = Long.getLong("weir.seed", 1);
    for (long seed = first; seed < first + HISTORIES; seed++) {
      play(seed);
    }
  }

  private void play(long seed) throws IOException {
    Random random = new Random(seed);
    FakeBrokers own = new FakeBrokers();
    Path directory = dir.resolve("seed-" + seed);
    Set<Integer> acknowledged = new HashSet<>();
    int offered = 0;
    for (int life = 0; life < 6; life++) {
      FileJournal journal =
          FileJournal.open(
              directory, "gateway-7", 1 << 20, clockMs + random.nextInt(1_000_000) - 500_000, 0);
      PublisherRig rig =
          new PublisherRig(
              own, settings -> settings.batchMaxReadings(1 + random.nextInt(6)), journal);
      for (int steps = random.nextInt(40); steps > 0; steps--) {
        int most = random.nextInt(40) == 0 ? 1_500 : 30;
        for (int offers = random.nextInt(most); offers > 0; offers--) {
          int number = ++offered;
          Reading reading = new Reading(SENSORS[random.nextInt(SENSORS.length)], number, number);
          rig.publisher.offer(reading, () -> acknowledged.add(number));
        }
        own.actAtRandom(random);
        rig.pass(Duration.ofMillis(random.nextInt(2_000)));
        for (int turns = random.nextInt(4); turns > 0; turns--) {
          rig.runOnce();
        }
      }
      journal.release();
      own.forgetSender();
    }
    FileJournal journal = FileJournal.open(directory, "gateway-7", 1 << 20, 5, 0);
    new PublisherRig(own, settings -> settings, journal).drain();

    List<List<Reading>> bySensor = List.copyOf(TopicReader.readingsBySensor(own.topic()).values());
    Set<Integer> arrived = new HashSet<>();
    for (List<Reading> readings : bySensor) {
      assertThat(readings)
          .as("seed %d", seed)
          .isSortedAccordingTo((a, b) -> Long.compare(a.timestampMs(), b.timestampMs()));
      readings.forEach(reading -> arrived.add((int) reading.timestampMs()));
    }
    acknowledged.removeAll(arrived);
    assertThat(acknowledged).as("seed %d: lost", seed).isEmpty();
  }

  private PublisherRig rig(Path directory, long maxBytes) throws IOException {
    return new PublisherRig(brokers, settings -> settings, journal(directory, maxBytes));
  }

  private FileJournal journal(Path directory, long maxBytes) throws IOException {
    return FileJournal.open(directory, "gateway-7", maxBytes, clockMs, 0);
  }

  private long total() {
    return TopicReader.readingsBySensor(brokers.topic()).values().stream()
        .mapToLong(List::size)
        .sum();
  }

  private void assertSorted() {
    assertThat(TopicReader.readingsBySensor(brokers.topic()).values())
        .allSatisfy(
            readings ->
                assertThat(readings)
                    .isSortedAccordingTo((a, b) -> Long.compare(a.timestampMs(), b.timestampMs())));
  }
}

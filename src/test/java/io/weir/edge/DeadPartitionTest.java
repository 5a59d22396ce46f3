package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Partitions that have no leader for minutes: the others go on as if nothing had happened. */
class DeadPartitionTest {
  private static final int DEAD = 21;
  private static final int SENSORS = 1_000;
  private static final Duration TICK = Duration.ofMillis(50);
  private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(30);

  private final FakeBrokers brokers = FakeBrokers.answering();
  private int sensor;
  private long waitingOfOthers;
  private int timestampMs;

  @Test
  void others_areAcknowledgedAtOnce_forFiveMinutes() {
    PublisherRig rig = new PublisherRig(brokers, settings -> settings, PublisherRig.BOOT_ID);
    brokers.leaderless(dead());
    long worstOthers = 0;
    for (int tick = 0; tick < 2_400; tick++) {
      offer(rig, 1_000);
      tick(rig, tick);
      if (tick > 100) {
        worstOthers = Math.max(worstOthers, waitingOfOthers);
      }
    }

    assertThat(worstOthers).as("readings of healthy partitions that wait").isLessThan(2_000);
    assertThat(brokers.opened()).as("producers").isLessThanOrEqualTo(2);
  }

  @Test
  void others_areAccepted_whereTheShareOfTheDeadIsUsedUp() {
    PublisherRig rig =
        new PublisherRig(brokers, settings -> settings.queueCapacity(20_000), PublisherRig.BOOT_ID);
    brokers.leaderless(dead());
    int refusedOfOthers = 0;
    int refusedOfDead = 0;
    for (int tick = 0; tick < 4_000; tick++) {
      for (int i = 0; i < 40; i++) {
        String id = nextSensor();
        Offer offer = rig.offer(id, ++timestampMs, 1);
        boolean dead = SensorPartition.of(id) < DEAD;
        refusedOfDead += dead && offer == Offer.SUSPENDED ? 1 : 0;
        refusedOfOthers += !dead && offer == Offer.SUSPENDED ? 1 : 0;
      }
      tick(rig, tick);
    }

    assertThat(refusedOfDead).isPositive();
    assertThat(refusedOfOthers).isZero();
  }

  @Test
  void leadersAreBack_everythingArrivesInOrder() {
    PublisherRig rig = new PublisherRig(brokers, settings -> settings, PublisherRig.BOOT_ID);
    brokers.leaderless(dead());
    for (int tick = 0; tick < 3_000; tick++) {
      offer(rig, 20);
      tick(rig, tick);
    }

    brokers.leaderless(Set.of());
    rig.drain();

    assertThat(TopicReader.readingsBySensor(brokers.topic()).values())
        .allSatisfy(
            readings ->
                assertThat(readings)
                    .isSortedAccordingTo((a, b) -> Long.compare(a.timestampMs(), b.timestampMs())));
    assertThat(rig.publisher.queuedReadings()).isZero();
  }

  private void tick(PublisherRig rig, int tick) {
    rig.pass(TICK);
    if (tick % (DELIVERY_TIMEOUT.toMillis() / TICK.toMillis()) == 0) {
      brokers.expireLeaderless();
    }
    for (int turns = 0; turns < 4; turns++) {
      rig.runOnce();
      brokers.acknowledgeAll();
    }
  }

  private void offer(PublisherRig rig, int readings) {
    for (int i = 0; i < readings; i++) {
      String id = nextSensor();
      boolean dead = SensorPartition.of(id) < DEAD;
      waitingOfOthers += dead ? 0 : 1;
      rig.publisher.offer(new Reading(id, ++timestampMs, 1), dead ? null : () -> waitingOfOthers--);
    }
  }

  private String nextSensor() {
    return "sensor-" + sensor++ % SENSORS;
  }

  private static Set<Integer> dead() {
    Set<Integer> dead = new HashSet<>();
    IntStream.range(0, DEAD).forEach(dead::add);
    return dead;
  }
}

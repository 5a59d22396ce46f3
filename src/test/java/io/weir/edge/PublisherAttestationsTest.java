package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories of brokers that fail in every way, queues that overflow and starts that follow each
 * other, with callers that attest correctly. Whatever happens: when an attestation comes that Weir
 * accepts, every reading that it covers has come before, and none that it covers was given up in
 * the same start.
 */
class PublisherAttestationsTest {
  private static final int HISTORIES = Integer.getInteger("weir.histories", 300);
  private static final int HISTORIES_ON_DISK = Math.min(20, HISTORIES);
  private static final String[] SENSORS = {"pump", "fan", "belt", "gauge-é", "valve", "m", "n"};

  @TempDir private Path dir;

  private long accepted;

  @Test
  void acceptedAttestations_comeAfterAllThatTheyCover() {
    long first = Long.getLong("weir.seed", 1);
    for (long seed = first; seed < first + HISTORIES; seed++) {
      new History(seed).playInMemory();
    }
    assertThat(accepted).as("attestations accepted").isGreaterThan(10L * HISTORIES);
  }

  @Test
  void acceptedAttestations_acrossKillsWithAJournal() throws IOException {
    long first = Long.getLong("weir.seed", 1);
    for (long seed = first; seed < first + HISTORIES_ON_DISK; seed++) {
      new History(seed).playOnDisk(dir.resolve("seed-" + seed));
    }
    assertThat(accepted).as("attestations accepted").isGreaterThan(10L * HISTORIES_ON_DISK);
  }

  private final class History {
    private final long seed;
    private final Random random;
    private final FakeBrokers brokers = new FakeBrokers();
    private final boolean ordered;
    private final boolean dropping;
    private final Map<String, Long> nextMs = new HashMap<>();
    private final Map<String, Set<Reading>> handedOver = new HashMap<>();
    private final Map<Reading, Long> givenUpUnderBoot = new HashMap<>();
    private final Set<Reading> unacknowledged = new HashSet<>();
    private final Set<Reading> suspended = new HashSet<>();
    private long bootId = PublisherRig.BOOT_ID;
    private int offers;

    History(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.ordered = random.nextBoolean();
      this.dropping = random.nextInt(3) == 0;
    }

    void playInMemory() {
      Optional<PublisherState> state = Optional.empty();
      for (int life = 0; life < 3; life++) {
        PublisherRig rig = new PublisherRig(brokers, settingsAfter(state), ++bootId);
        play(rig);
        state = rig.closeAfter(Duration.ZERO).state();
        brokers.forgetSender();
        noteWhatWasGivenUp(state.orElseThrow());
        suspended.clear();
      }
      new PublisherRig(brokers, settingsAfter(state), ++bootId).drain();
      check();
    }

    void playOnDisk(Path directory) throws IOException {
      for (int life = 0; life < 4; life++) {
        FileJournal journal = FileJournal.open(directory, "gateway-7", 1 << 20, 5, 0);
        bootId = journal.bootId();
        play(new PublisherRig(brokers, this::settings, journal));
        journal.release();
        brokers.forgetSender();
        // A kill: what was not on disk is lost, and was not acknowledged.
        unacknowledged.addAll(suspended);
        handedOver.values().forEach(readings -> readings.removeAll(unacknowledged));
        unacknowledged.clear();
        suspended.clear();
      }
      FileJournal journal = FileJournal.open(directory, "gateway-7", 1 << 20, 5, 0);
      new PublisherRig(brokers, settings -> settings, journal).drain();
      check();
    }

    private UnaryOperator<PublisherSettings.Builder> settingsAfter(Optional<PublisherState> state) {
      return settings -> {
        state.ifPresent(settings::startAfter);
        return settings(settings).overflow(dropping ? Overflow.DROP_OLDEST : Overflow.SUSPEND);
      };
    }

    private PublisherSettings.Builder settings(PublisherSettings.Builder settings) {
      return settings
          .ordered(ordered)
          .batchMaxReadings(1 + random.nextInt(6))
          .queueCapacity(20 + random.nextInt(200));
    }

    private void play(PublisherRig rig) {
      for (int steps = random.nextInt(60); steps > 0; steps--) {
        switch (random.nextInt(6)) {
          case 0, 1, 2 -> offerSome(rig);
          case 3, 4 -> brokers.actAtRandom(random);
          default -> rig.pass(Duration.ofMillis(random.nextInt(2_000)));
        }
        for (int turns = random.nextInt(4); turns > 0; turns--) {
          rig.runOnce();
        }
      }
    }

    private void offerSome(PublisherRig rig) {
      for (int left = random.nextInt(20); left > 0; left--) {
        String sensor = SENSORS[random.nextInt(SENSORS.length)];
        long next = nextMs.getOrDefault(sensor, 1L);
        if (ordered) {
          nextMs.put(sensor, next + random.nextInt(3));
          offer(rig, new Reading(sensor, nextMs.get(sensor), ++offers));
        } else if (random.nextInt(4) == 0) {
          nextMs.put(sensor, next + random.nextInt(200));
          rig.publisher.complete(sensor, nextMs.get(sensor));
        } else {
          offer(rig, new Reading(sensor, next + random.nextInt(300), ++offers));
        }
      }
      if (ordered) {
        offerAgain(rig);
      }
    }

    /** Of an ordered publisher, what is suspended is missing until it is offered again. */
    private void offer(PublisherRig rig, Reading reading) {
      Offer offer = rig.publisher.offer(reading, () -> unacknowledged.remove(reading));
      if (offer == Offer.ACCEPTED) {
        unacknowledged.add(reading);
        suspended.remove(reading);
      } else if (ordered) {
        suspended.add(reading);
      }
      if (offer == Offer.ACCEPTED || ordered) {
        handedOver.computeIfAbsent(reading.sensorId(), id -> new HashSet<>()).add(reading);
      }
    }

    private void offerAgain(PublisherRig rig) {
      for (Reading reading : List.copyOf(suspended)) {
        if (random.nextInt(3) == 0) {
          offer(rig, reading);
        }
      }
    }

    private void noteWhatWasGivenUp(PublisherState state) {
      Set<Reading> there = new HashSet<>();
      brokers.wholeTopic().forEach(v -> there.addAll(TopicReader.readings(TopicReader.parse(v))));
      for (SequencedBatch batch : state.unacknowledged()) {
        there.addAll(TopicReader.readings(TopicReader.parse(batch.value())));
      }
      for (Set<Reading> readings : handedOver.values()) {
        for (Reading reading : readings) {
          if (!there.contains(reading)) {
            givenUpUnderBoot.putIfAbsent(reading, bootId);
          }
        }
      }
    }

    private void check() {
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        for (AttestedTopic.Accepted attestation :
            AttestedTopic.accepted(brokers.topic(partition))) {
          accepted++;
          for (Reading reading : handedOver.getOrDefault(attestation.sensorId(), Set.of())) {
            boolean givenUpBefore =
                givenUpUnderBoot.getOrDefault(reading, Long.MAX_VALUE) < attestation.bootId();
            if (reading.timestampMs() < attestation.throughMs() && !givenUpBefore) {
              assertThat(attestation.arrived())
                  .as("seed %d: through %d", seed, attestation.throughMs())
                  .contains(reading);
            }
          }
        }
      }
    }
  }
}

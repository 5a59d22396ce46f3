package io.weir.internal.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.edge.Offer;
import io.weir.reading.Quality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentitiesTest {
  private static final long ENOUGH_BYTES = 1 << 30;

  private final HeldSink sink = new HeldSink();

  private record Identity(long ms, int nanos, double value, Quality quality) {}

  /** Against a list of the newest 1,024 of each sensor. */
  @Test
  void repeats_areThoseOfTheNewest1024() {
    Seeds.forEach(
        20,
        random -> {
          Identities identities = identities(ENOUGH_BYTES);
          Map<String, List<Identity>> newest = new HashMap<>();
          Delivery delivery = intake(identities).begin();
          for (int i = 0; i < 4_000; i++) {
            String id = "sensor-" + random.nextInt(3);
            Identity identity =
                new Identity(
                    1 + random.nextInt(1_500),
                    random.nextInt(2),
                    random.nextBoolean() ? 0.0 : -0.0,
                    random.nextBoolean() ? Quality.GOOD : Quality.BAD);
            List<Identity> known = newest.computeIfAbsent(id, key -> new ArrayList<>());
            Identity plain = new Identity(identity.ms, identity.nanos, 0.0, identity.quality);
            boolean repeat = known.contains(plain);
            if (!repeat) {
              known.add(plain);
              if (known.size() > KnownSensor.MOST) {
                known.remove(0);
              }
            }

            assertThat(offer(delivery, id, identity))
                .isEqualTo(repeat ? Outcome.DUPLICATE : Outcome.ACCEPTED);
          }
        });
  }

  @Test
  void anotherValueQualityOrNanosecond_isAnotherReading() {
    Delivery delivery = intake(identities(ENOUGH_BYTES)).begin();
    Identity first = new Identity(1_000, 5, 1.5, Quality.GOOD);

    assertThat(offer(delivery, "a", first)).isEqualTo(Outcome.ACCEPTED);
    assertThat(offer(delivery, "a", first)).isEqualTo(Outcome.DUPLICATE);
    assertThat(offer(delivery, "b", first)).isEqualTo(Outcome.ACCEPTED);
    assertThat(offer(delivery, "a", new Identity(1_000, 6, 1.5, Quality.GOOD)))
        .isEqualTo(Outcome.ACCEPTED);
    assertThat(offer(delivery, "a", new Identity(1_000, 5, 2.5, Quality.GOOD)))
        .isEqualTo(Outcome.ACCEPTED);
    assertThat(offer(delivery, "a", new Identity(1_000, 5, 1.5, Quality.UNCERTAIN)))
        .isEqualTo(Outcome.ACCEPTED);
  }

  /**
   * Sensors with many identities give up their oldest first; then the silent ones are forgotten.
   */
  @Test
  void memoryIsBounded_andTheSilentAreForgottenFirst() {
    Identities identities = identities(64L * 4_000);
    Delivery delivery = intake(identities).begin();
    Random random = new Random(1);
    for (int i = 1; i <= 30_000; i++) {
      offer(delivery, "s" + random.nextInt(50_000), new Identity(i, 0, i, Quality.GOOD));
      offer(delivery, "busy", new Identity(i, 0, i, Quality.GOOD));
    }

    assertThat(identities.counts().allEvictedSensors()).isGreaterThan(1_000);
    assertThat(identities.counts().allEvictedIdentities()).isPositive();
    assertThat(identities.counts().identities()).isBetween(1L, 64L * 4_000 / 16);
    assertThat(offer(delivery, "busy", new Identity(30_000, 0, 30_000, Quality.GOOD)))
        .isEqualTo(Outcome.DUPLICATE);
  }

  /** Sensors that are read once a minute need their 32 identities as well. */
  @ParameterizedTest
  @CsvSource({"1, 40", "100, 250"})
  void memoryAsComputed_forgetsNobody(int untilRepeat, int rounds) {
    int sensors = 6_400;
    Identities identities = identities(Identities.bytesFor(sensors, untilRepeat, 11));
    Delivery delivery = intake(identities).begin();
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < sensors; i++) {
        offer(delivery, "sensor-%04d".formatted(i), new Identity(round, 0, 1, Quality.GOOD));
      }
    }

    assertThat(identities.counts().allEvictedSensors()).isZero();
    for (int i = 0; i < sensors; i++) {
      Identity oldest = new Identity(rounds - untilRepeat + 1, 0, 1, Quality.GOOD);
      assertThat(offer(delivery, "sensor-%04d".formatted(i), oldest)).isEqualTo(Outcome.DUPLICATE);
    }
  }

  @Test
  void duplicateOfWhatIsNotOnDisk_waitsForIt() {
    Identities identities = identities(ENOUGH_BYTES);
    Intake intake = intake(identities);
    Identity reading = new Identity(7, 0, 7, Quality.GOOD);
    Delivery first = intake.begin();
    offer(first, "a", reading);
    Delivery repeat = intake.begin();
    offer(repeat, "a", reading);
    CompletableFuture<Void> firstDone = first.finish();
    CompletableFuture<Void> repeatDone = repeat.finish();
    assertThat(firstDone).isNotDone();
    assertThat(repeatDone).isNotDone();

    sink.store();

    assertThat(firstDone).isCompleted();
    assertThat(repeatDone).isCompleted();
    Delivery later = intake.begin();
    assertThat(offer(later, "a", reading)).isEqualTo(Outcome.DUPLICATE);
    assertThat(later.finish()).isCompleted();
  }

  @Test
  void withoutDedup_everythingIsNew() {
    Identities identities =
        new Identities(
            new IdentitySettings(
                false, ENOUGH_BYTES, 0, IdentitySettings.Collisions.COUNT, 16_384));
    Delivery delivery = intake(identities).begin();
    Identity reading = new Identity(7, 0, 7, Quality.GOOD);

    assertThat(offer(delivery, "a", reading)).isEqualTo(Outcome.ACCEPTED);
    assertThat(offer(delivery, "a", reading)).isEqualTo(Outcome.ACCEPTED);
  }

  @Test
  void anotherSeriesOfAnId_isCounted_andRefusedIfWanted() {
    for (IdentitySettings.Collisions collisions : IdentitySettings.Collisions.values()) {
      Identities identities =
          new Identities(new IdentitySettings(true, ENOUGH_BYTES, 0, collisions, 16_384));
      Delivery delivery = intake(identities).begin();
      delivery.offer(sensor("a", "cpu,host=1 x"), 1, 0, 1, Quality.GOOD);
      Outcome other = delivery.offer(sensor("a", "cpu,host=2 x"), 2, 0, 2, Quality.GOOD);

      assertThat(identities.counts().allCollisions()).isEqualTo(1);
      assertThat(other)
          .isEqualTo(
              collisions == IdentitySettings.Collisions.REFUSE
                  ? Outcome.ID_COLLISION
                  : Outcome.ACCEPTED);
    }
  }

  /** A refusal for good that were no room would come again, and block its input for ever. */
  @Test
  void refusalOfThePublisher_isOne_andNoLackOfRoom() {
    for (Offer offer : Offer.values()) {
      if (!offer.name().startsWith("REFUSED_") || offer == Offer.REFUSED_EVENT) {
        continue;
      }
      sink.answer(offer);
      Delivery delivery = intake(identities(ENOUGH_BYTES)).begin();
      assertThat(offer(delivery, "a", new Identity(7, 5, 7, Quality.GOOD)).refusal())
          .contains(offer.name().substring("REFUSED_".length()));
      assertThat(delivery.hasFailed()).as(offer.name()).isFalse();
    }
  }

  /** A stored reading of an earlier start is a duplicate, and it is on disk. */
  @Test
  void storedReadings_areRecognised_withoutAWait() {
    Identities identities = identities(ENOUGH_BYTES);
    identities.stored("a", 7, 5, 7, Quality.GOOD);
    Delivery delivery = intake(identities).begin();

    assertThat(offer(delivery, "a", new Identity(7, 5, 7, Quality.GOOD)))
        .isEqualTo(Outcome.DUPLICATE);
    assertThat(delivery.finish()).isCompleted();
    assertThat(sink.taken()).isEmpty();
  }

  private Intake intake(Identities identities) {
    return new Intake(sink, identities, 256, 1_000_000_000);
  }

  private static Identities identities(long maxBytes) {
    return new Identities(
        new IdentitySettings(true, maxBytes, 0, IdentitySettings.Collisions.COUNT, 16_384));
  }

  private static Outcome offer(Delivery delivery, String id, Identity identity) {
    return delivery.offer(
        sensor(id, id), identity.ms, identity.nanos, identity.value, identity.quality);
  }

  private static Sensor sensor(String id, String series) {
    return Sensor.of(id, id.getBytes(UTF_8), series);
  }
}

package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.dev.oracle.NaiveWeir;
import io.weir.dev.oracle.NaiveWindows;
import io.weir.oracle.RandomBatches;
import io.weir.oracle.Truths;
import io.weir.reading.Quality;
import io.weir.v1.CloseReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import io.weir.window.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Seeded histories (order, batch boundaries, repeats, restarts of gateways and of the topology,
 * clock jumps, idle gaps) through the topology, each output held against {@link NaiveWeir} and
 * {@link NaiveWindows}.
 *
 * <p>{@code -Dweir.histories=N} sets how many, {@code -Dweir.seed=S} the first one.
 */
class RandomHistoryTest {
  private static final int HISTORIES = Integer.getInteger("weir.histories", 2_000);
  private static final long FIRST_SEED = Long.getLong("weir.seed", 1);

  @Test
  void everyHistory_endsInTheWindowsOfTheNaiveOracle() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      try {
        new History(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (-Dweir.seed=" + seed + ")", e);
      }
    }
  }

  /** One history. Times are small numbers, so that every boundary is met often. */
  private static final class History {
    private static final long SKEW = 300_000;

    private final RandomBatches batches;
    private final Random random;
    private final WindowSpec spec;
    private final NaiveWeir naive;
    private final NaiveWindows expected;
    private final Map<NaiveWindows.Key, WindowSummary> truths = new HashMap<>();
    private final WeirDriver weir;

    private long appendMs = 1_000_000;
    private long offered;
    private long aggregated;
    private long late;
    private long rejected;
    private long duplicates;

    History(long seed) {
      random = new Random(seed);
      spec =
          new WindowSpec(
              10,
              random.nextInt(3) * 5L,
              random.nextBoolean() ? 0 : random.nextInt(200),
              30,
              WindowSpec.IdleRule.ENDED,
              random.nextInt(3) == 0 ? 200 : 1_000_000);
      naive = new NaiveWeir(spec, SKEW, 0);
      expected = new NaiveWindows(spec.sizeMs());
      batches = new RandomBatches(random, 0);
      weir = new WeirDriver(spec);
    }

    void run() {
      try (weir) {
        int steps = 5 + random.nextInt(40);
        for (int i = 0; i < steps; i++) {
          step();
        }
        weir.clock(400_000);
        checkIdle(200);
        checkBalance();
        Truths.assertEqual(truths, expected);
      }
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0 -> weir.restart();
        case 1 -> checkIdle(random.nextInt(100));
        case 2 -> appendMs += random.nextInt(300);
        default -> {
          appendMs += random.nextInt(8);
          weir.clock(random.nextInt(60));
          take(batches.next(appendMs));
        }
      }
    }

    /** Nobody speaks for a while: idle windows may come, and nothing else. */
    private void checkIdle(long millis) {
      weir.silence(millis);
      appendMs += random.nextBoolean() ? millis : 0;
      for (WindowSummary window : weir.windows()) {
        assertThat(window.getCloseReason()).isEqualTo(CloseReason.CLOSE_REASON_IDLE);
        told(window);
      }
      assertThat(weir.late()).isEmpty();
      assertThat(weir.deadLetters()).isEmpty();
    }

    private void take(ReadingBatch batch) {
      weir.send(appendMs, batch);
      List<Reading> rows = NaiveWeir.rows(batch);
      offered += rows.size();
      naive.time(appendMs);
      NaiveWeir.Fate fate = naive.take(batch, appendMs);
      List<Letter> letters = weir.deadLetters();
      List<Reading> lateRows =
          weir.late().stream().flatMap(letter -> NaiveWeir.rows(letter.batch()).stream()).toList();
      if (fate.refused() != null) {
        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).reason()).isEqualTo(fate.refused());
        assertThat(letters.get(0).batch()).isEqualTo(batch);
        rejected += rows.size();
      } else if (fate.repeated()) {
        assertThat(letters).isEmpty();
        duplicates += rows.size();
      } else {
        checkRejected(fate, letters);
        checkLate(fate, new ArrayList<>(lateRows));
      }
      Set<NaiveWindows.Key> once = new HashSet<>();
      for (WindowSummary window : weir.windows()) {
        told(window);
        if (window.getCloseReason() != CloseReason.CLOSE_REASON_IDLE) {
          assertThat(once.add(key(window))).isTrue();
        }
      }
    }

    private void checkRejected(NaiveWeir.Fate fate, List<Letter> letters) {
      List<String> expectedLetters = new ArrayList<>();
      for (NaiveWeir.ReadingFate reading : fate.readings()) {
        if (reading.rejected() != null) {
          expectedLetters.add(reading.rejected() + " " + NaiveWeir.plain(reading.reading()));
        }
      }
      List<String> got = new ArrayList<>();
      for (Letter letter : letters) {
        for (Reading row : NaiveWeir.rows(letter.batch())) {
          got.add(letter.reason() + " " + NaiveWeir.plain(row));
        }
      }
      assertThat(got).containsExactlyInAnyOrderElementsOf(expectedLetters);
      rejected += got.size();
    }

    private void checkLate(NaiveWeir.Fate fate, List<Reading> lateRows) {
      List<String> gotLate = new ArrayList<>(lateRows.stream().map(NaiveWeir::plain).toList());
      late += gotLate.size();
      List<Reading> taken = new ArrayList<>();
      for (NaiveWeir.ReadingFate reading : fate.readings()) {
        if (reading.rejected() != null) {
          continue;
        }
        boolean isLate = gotLate.remove(NaiveWeir.plain(reading.reading()));
        if (!reading.mayBeLateToo()) {
          assertThat(isLate).as("late: %s", reading).isEqualTo(reading.late());
        }
        if (!isLate) {
          taken.add(reading.reading());
          expected.add(
              reading.reading().getSensorId(),
              reading.reading().getTimestampMs(),
              reading.reading().getValue(),
              Quality.ofNumber(reading.reading().getQualityValue()));
        }
      }
      assertThat(gotLate).isEmpty();
      aggregated += taken.size();
      naive.endBatch(taken, appendMs);
    }

    /** An emission: the next revision, with news, and never more than is so far known. */
    private void told(WindowSummary window) {
      WindowSummary before = truths.put(key(window), window);
      assertThat(window.getRevision()).isEqualTo(before == null ? 0 : before.getRevision() + 1);
      assertThat(window.getWindowEndMs()).isEqualTo(window.getWindowStartMs() + spec.sizeMs());
      if (before != null) {
        assertThat(window.getCount() + window.getBadCount())
            .isGreaterThan(before.getCount() + before.getBadCount());
      }
    }

    private NaiveWindows.Key key(WindowSummary window) {
      return new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
    }

    private void checkBalance() {
      assertThat(aggregated + late + rejected + duplicates).isEqualTo(offered);
      assertThat(weir.counts().readings).isEqualTo(offered);
      assertThat(weir.counts().aggregated).isEqualTo(aggregated);
      assertThat(weir.counts().late).isEqualTo(late);
      assertThat(weir.counts().rejected).isEqualTo(rejected);
      assertThat(weir.counts().duplicate).isEqualTo(duplicates);
    }
  }
}

package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.oracle.RandomBatches;
import io.weir.store.StateDump;
import io.weir.topology.StateRecording.Send;
import io.weir.topology.StateRecording.Silence;
import io.weir.topology.StateRecording.Step;
import io.weir.v1.WindowSummary;
import io.weir.window.HoppingPlan;
import io.weir.window.RollupPlan;
import io.weir.window.StatisticsPlan;
import io.weir.window.WindowSpec;
import io.weir.window.aggregate.StatisticSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * State that a release wrote is read by all that follow. Each release leaves a recording; none is
 * ever changed. A release that keeps something else adds its own: {@code mvn test
 * -Dtest=StateUpgradeTest -Dweir.state.recording=src/test/resources/state/VERSION.txt}, and {@code
 * VERSION-full.txt} with everything switched on.
 */
class StateUpgradeTest {
  private static final Path RECORDINGS = Path.of("src", "test", "resources", "state");

  /** Recordings whose names end so have everything switched on. */
  private static final String FULL = "-full.txt";

  /** The newest recording: this version still keeps the same. */
  private static final Path NEWEST = RECORDINGS.resolve("0.10.0.txt");

  private static final Path NEWEST_FULL = RECORDINGS.resolve("0.10.0" + FULL);

  /**
   * Small numbers, so that windows open, close, are amended, evicted and forgotten all the time.
   */
  private static final WindowSpec SPEC =
      WindowSpec.of(5, 5, 300, 30, WindowSpec.IdleRule.ENDED, 700);

  private static final WindowSpec FULL_SPEC =
      SPEC.with(StatisticsPlan.ofAll(EnumSet.range(StatisticSet.FIRST_LAST, StatisticSet.COUNTER)))
          .with(RollupPlan.of(5, List.of(20L, 100L)))
          .with(HoppingPlan.of(5, 200, List.of()));

  private static WindowSpec spec(Path recording) {
    return recording.toString().endsWith(FULL) ? FULL_SPEC : SPEC;
  }

  static List<Path> newest() {
    return List.of(NEWEST, NEWEST_FULL);
  }

  static List<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.list(RECORDINGS)) {
      return files.sorted().toList();
    }
  }

  /** What comes of a history does not tell whether another release had its first part. */
  @ParameterizedTest
  @MethodSource("recordings")
  void stateOfARelease_goesOnAsIfItWereOurs(Path file) throws IOException {
    StateRecording recording = StateRecording.read(file);
    assertThat(recording.after()).isNotEmpty();
    try (WeirDriver ours = new WeirDriver(spec(file));
        WeirDriver theirs = new WeirDriver(spec(file))) {
      recording.before().forEach(step -> play(step, ours));
      outcome(ours);
      ours.restart();
      theirs.adopt(recording.kept());
      for (Step step : recording.after()) {
        play(step, ours);
        play(step, theirs);
        assertThat(outcome(theirs)).isEqualTo(outcome(ours));
      }
      assertThat(theirs.counts().lostBatches).isEqualTo(ours.counts().lostBatches);
      assertSameKept(ours.changelog(), theirs.changelog(), spec(file));
    }
  }

  @ParameterizedTest
  @MethodSource("newest")
  void stateOfThisVersion_isWhatItsReleaseKept_toTheByte(Path file) throws IOException {
    StateRecording recording = StateRecording.read(file);
    try (WeirDriver weir = new WeirDriver(spec(file))) {
      recording.before().forEach(step -> play(step, weir));

      assertThat(weir.changelog()).containsExactlyEntriesOf(recording.kept());
    }
  }

  @Test
  void recording_hasEveryKindOfEntry() throws IOException {
    assertThat(StateRecording.read(NEWEST).kept().keySet().stream().map(key -> key.charAt(0)))
        .contains('M', 'S', 'D', 'W', 'G', 'O');
    assertThat(StateRecording.read(NEWEST_FULL).kept().keySet().stream().map(key -> key.charAt(0)))
        .contains('M', 'S', 'D', 'W', 'V', 'R', 'H', 'G', 'O');
  }

  @Test
  @EnabledIfSystemProperty(named = "weir.state.recording", matches = ".+")
  void record() throws IOException {
    Path file = Path.of(System.getProperty("weir.state.recording"));
    assertThat(file).doesNotExist();
    Random random = new Random(1);
    RandomBatches batches = new RandomBatches(random, 0);
    if (spec(file) == FULL_SPEC) {
      batches.attest();
    }
    List<Step> steps = new ArrayList<>();
    long appendMs = 1_000_000;
    for (int i = 0; i < 240; i++) {
      long silenceMs = random.nextInt(20) == 0 ? random.nextInt(500) : 0;
      if (silenceMs > 0) {
        steps.add(new Silence(silenceMs));
      }
      appendMs += silenceMs + random.nextInt(8);
      steps.add(new Send(appendMs, batches.next(appendMs)));
    }
    List<Step> before = steps.subList(0, steps.size() / 2);
    List<Step> after = steps.subList(steps.size() / 2, steps.size());
    try (WeirDriver weir = new WeirDriver(spec(file))) {
      before.forEach(step -> play(step, weir));
      new StateRecording(before, weir.changelog(), after).write(file);
    }
  }

  /**
   * Sensors that a release without owners made have none. A release without rollups did not keep
   * whether it began with the topic, the last byte of M. What is kept of a sensor or a gateway in
   * its entry and what in records of changes depends on when it was written.
   */
  private static void assertSameKept(
      Map<String, byte[]> ours, Map<String, byte[]> theirs, WindowSpec spec) {
    ours.forEach(
        (key, value) -> {
          switch (key.charAt(0)) {
            case 'M' ->
                assertThat(Arrays.copyOf(theirs.get(key), value.length - 1))
                    .as(key)
                    .isEqualTo(Arrays.copyOf(value, value.length - 1));
            case 'O', 'S', 'D', 'G' -> {}
            default -> assertThat(theirs.get(key)).as(key).isEqualTo(value);
          }
        });
    assertThat(StateDump.of(theirs, spec)).isEqualTo(StateDump.of(ours, spec));
  }

  private static void play(Step step, WeirDriver weir) {
    if (step instanceof Send send) {
      weir.send(send.appendMs(), send.batch());
    } else if (step instanceof Silence silence) {
      weir.silence(silence.millis());
    }
  }

  /** Everything that has come out since the last look. */
  private static Map<String, List<String>> outcome(WeirDriver weir) {
    return Map.of(
        "windows", weir.windows().stream().map(WindowSummary::toString).toList(),
        "rollups", weir.rollups().stream().map(WindowSummary::toString).toList(),
        "hops", weir.hops().stream().map(WindowSummary::toString).toList(),
        "late", weir.late().stream().map(deadLetter -> deadLetter.batch().toString()).toList(),
        "rejected",
            weir.deadLetters().stream()
                .map(deadLetter -> deadLetter.reason() + " " + deadLetter.batch())
                .toList());
  }
}

package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Reading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random files whose readings are known: if sniff asks nothing but the time zone, it reads exactly
 * these. {@code -Dweir.files=10000} writes more of them, {@code -Dweir.seed=N} begins with another.
 */
class SniffedReadingsTest {
  private static final int FILES = Integer.getInteger("weir.files", 300);
  private static final long SEED = Long.getLong("weir.seed", 1);
  private static final int SHOWN = Integer.getInteger("weir.shown", 3);

  @TempDir private Path directory;

  @Test
  void file_withoutQuestions_isReadExactly() throws Exception {
    int decided = 0;
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> questions = new HashMap<>();
    Path path = directory.resolve("f.csv");
    for (long seed = SEED; seed < SEED + FILES; seed++) {
      Random random = new Random(seed);
      random.nextInt();
      RandomFile file = new RandomFile(random);
      Files.write(path, file.bytes());
      SniffCommand.Look look = SniffCommand.look(path);
      List<String> asked = asked(look);
      asked.forEach(q -> questions.merge(q.split("[:,]")[0], 1, Integer::sum));
      if (asked.isEmpty() && look.failure().isEmpty()) {
        decided++;
        Optional<String> difference = difference(look, file);
        if (difference.isPresent()) {
          wrong.add("seed " + seed + difference.get());
        }
      }
    }
    assertThat(wrong.stream().limit(SHOWN)).as("%d files", wrong.size()).isEmpty();
    // Questions are no way out: most files leave nothing open.
    assertThat(decided).as("of %d files; %s", FILES, questions).isGreaterThan(FILES / 2);
  }

  /** What is not decided, but for the time zone: its readings are those of UTC. */
  static List<String> asked(SniffCommand.Look look) {
    return look.sniffed().undecided().stream()
        .filter(question -> !question.startsWith("the time zone:"))
        .toList();
  }

  /** What is read otherwise than it is known. */
  static Optional<String> difference(SniffCommand.Look look, RandomFile file) {
    return difference(look.readings(), file.known())
        .map(found -> ", read with%s: %s%n%s".formatted(look.sniffed().typed(), found, file));
  }

  /**
   * In the order of the file: times and values alike, and one id for each sensor, with all that
   * tells it apart.
   */
  private static Optional<String> difference(List<Reading> found, List<RandomFile.Known> known) {
    Set<String> common = new HashSet<>(known.isEmpty() ? List.of() : known.get(0).sensor());
    known.forEach(reading -> common.retainAll(reading.sensor()));
    Map<List<String>, String> ids = new HashMap<>();
    for (int i = 0; i < Math.min(found.size(), known.size()); i++) {
      Reading reading = found.get(i);
      RandomFile.Known right = known.get(i);
      String id = ids.computeIfAbsent(right.sensor(), sensor -> reading.sensorId());
      boolean same =
          id.equals(reading.sensorId())
              && right.sensor().stream().allMatch(p -> common.contains(p) || id.contains(p))
              && reading.timestampMs() == right.millis()
              && reading.value() == right.value();
      if (!same) {
        return Optional.of("%s is %s".formatted(right, reading));
      }
    }
    if (found.size() != known.size()) {
      return Optional.of("%d readings for %d".formatted(found.size(), known.size()));
    }
    return ids.size() == new HashSet<>(ids.values()).size()
        ? Optional.empty()
        : Optional.of("several sensors have one id: " + ids);
  }
}

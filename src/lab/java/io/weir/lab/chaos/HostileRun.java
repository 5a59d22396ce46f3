package io.weir.lab.chaos;

import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.lab.hostile.HostileTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Plays the table of what a hostile writer may send, row by row, against real processes, and says
 * of each row which process ended and how long a neighbour waited. It drives processes by their
 * commands and topics alone. One thread.
 */
public final class HostileRun {
  /** Then the row has won, and the next ones are played on another broker. */
  private static final Duration GIVE_UP = Duration.ofMinutes(3);

  private final HostileSettings settings;
  private final Path dir;
  private final Consumer<String> progress;
  private final List<String> findings = new ArrayList<>();
  private int stages;
  private int played;
  private int refused;
  private long readings;
  private long longestWaitMs;

  /**
   * @param dir for brokers' data and logs; stays
   * @param progress receives a line for each row
   */
  public HostileRun(HostileSettings settings, Path dir, Consumer<String> progress) {
    this.settings = settings;
    this.dir = dir;
    this.progress = progress;
  }

  /** Plays them. */
  public HostileReport run() {
    List<HostileRow> rows = rows();
    progress.accept("seed %d: %d attacks".formatted(settings.seed(), rows.size()));
    int next = 0;
    while (next < rows.size()) {
      next = play(rows, next);
    }
    return new HostileReport(played, refused, findings, Duration.ofMillis(longestWaitMs), readings);
  }

  private List<HostileRow> rows() {
    List<HostileRow> rows = new ArrayList<>();
    for (Target target : Target.values()) {
      if (target != Target.OUTBOX || settings.postgres()) {
        rows.addAll(HostileTable.rows(target, settings.seed()));
      }
    }
    rows.removeIf(row -> !row.toString().contains(settings.words()));
    if (settings.atMost().isPresent()) {
      Collections.shuffle(rows, new Random(settings.seed()));
    }
    return rows;
  }

  /** From one row on, until all are played or one has won; the number of the next. */
  private int play(List<HostileRow> rows, int first) {
    progress.accept("starting a broker and everything that reads what a hostile writer sends");
    try (HostileStage stage = HostileStage.start(settings, directory())) {
      long endNanos = System.nanoTime() + settings.atMost().orElse(Duration.ofDays(1)).toNanos();
      boolean whole = true;
      int next = first;
      while (next < rows.size() && System.nanoTime() - endNanos < 0) {
        HostileRow row = rows.get(next++);
        Outcome outcome = play(stage, row, next);
        progress.accept("%4d of %d  %s".formatted(next, rows.size(), outcome.text()));
        whole &= outcome.harm().isEmpty();
        if (outcome.won()) {
          return next;
        }
      }
      count(stage, whole);
      return rows.size();
    }
  }

  private Path directory() {
    try {
      return Files.createDirectories(dir.resolve("stage-" + stages++));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a row did: the line, the harm, and whether nothing came any more. */
  private record Outcome(String text, List<String> harm, boolean won) {}

  private Outcome play(HostileStage stage, HostileRow row, int number) {
    played++;
    Optional<String> notTaken = stage.send(row, stage.neighbour().partition(number));
    refused += notTaken.isPresent() ? 1 : 0;
    boolean through = stage.awaitNeighbours(number, GIVE_UP);
    long waitMs = stage.neighbour().drainLongestWaitMs();
    longestWaitMs = Math.max(longestWaitMs, waitMs);
    List<String> harm = new ArrayList<>(stage.drainEnded());
    if (!through) {
      harm.add("nothing of the neighbour's came for " + GIVE_UP.toSeconds() + " s");
    } else if (waitMs > settings.neighbourMayWait().toMillis()) {
      harm.add("the neighbour waited " + Durations.seconds(Duration.ofMillis(waitMs)) + " s");
    }
    harm.forEach(each -> findings.add(row + ": " + each));
    String text =
        "%s: %s%s, the neighbour's windows within %s s"
            .formatted(
                row,
                harm.isEmpty() ? "held" : String.join("; ", harm),
                notTaken.map(why -> " (not taken: " + why + ")").orElse(""),
                Durations.seconds(Duration.ofMillis(waitMs)));
    return new Outcome(text, harm, !through);
  }

  /** Each reading of the neighbour is in its windows once, unless a process lost what it had. */
  private void count(HostileStage stage, boolean whole) {
    Neighbour neighbour = stage.neighbour();
    neighbour.fallSilent();
    boolean exact = Waiting.until(GIVE_UP, () -> neighbour.counted() >= neighbour.written());
    readings += neighbour.written();
    if (whole && (!exact || neighbour.counted() != neighbour.written())) {
      findings.add(
          "%,d readings of the neighbour, and %,d in its windows"
              .formatted(neighbour.written(), neighbour.counted()));
    }
  }
}

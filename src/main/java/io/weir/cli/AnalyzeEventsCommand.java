package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.Folds;
import io.weir.internal.time.DurationText;
import io.weir.internal.wire.EventDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir events analyze}: counts the events that folding would save. */
@Command(
    name = "analyze",
    description = "Count the folds of the events in files for several quiet periods.",
    footer = {
      "",
      "Files have the format of weir send events, ordered by time; the events' own times count.",
      "Prints a line for each quiet period: quiet, events, folds, the folding ratio (1 - folds",
      "/ events), and reopened: keys with a new event within one quiet period after their fold",
      "was emitted. If many keys reopen, a longer quiet period saves more.",
      "",
      "Examples:",
      "  weir events analyze events.jsonl --quiet 1s,5s,1m",
      "  weir tail events --from-beginning --no-follow | jq -c '.events[]' | weir events analyze -"
    })
final class AnalyzeEventsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files, or - for standard input.")
  private List<Path> files;

  @Option(
      names = "--quiet",
      paramLabel = "DURATION",
      split = ",",
      defaultValue = "1s,5s,1m",
      description = "Quiet periods; default ${DEFAULT-VALUE}.")
  private List<Duration> quiet;

  @Option(
      names = "--max-hold",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Longest delay of a key without a quiet period; default ${DEFAULT-VALUE}.")
  private Duration maxHold;

  @Override
  public Integer call() {
    List<FoldAnalysis> analyses = new ArrayList<>();
    for (Duration each : quiet) {
      if (each.toMillis() < 1 || maxHold.toMillis() < 1) {
        throw new ParameterException(
            spec.commandLine(), "--quiet, --max-hold: expected: durations of 1ms or more");
      }
      analyses.add(new FoldAnalysis(specOf(each)));
    }
    try (EventLines lines = EventLines.open(Optional.empty(), this::say)) {
      for (Path file : files) {
        lines.read(file, event -> analyses.forEach(analysis -> analysis.add(event)));
      }
      print(analyses);
      if (lines.rejected() > 0) {
        spec.commandLine().getErr().println(notEvents(lines.rejected()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return 0;
  }

  private void say(String line) {
    spec.commandLine().getErr().println("weir events analyze: " + line);
  }

  /** One partition stands for all, so its memory is not limited. */
  private FoldSpec specOf(Duration quietTime) {
    int maxFields = FoldSpec.DEFAULT.maxFields();
    return new FoldSpec(quietTime.toMillis(), maxHold.toMillis(), maxFields, Long.MAX_VALUE);
  }

  static String notEvents(long lines) {
    return lines == 1 ? "1 line is not an event" : "%d lines are not events".formatted(lines);
  }

  private void print(List<FoldAnalysis> analyses) {
    Results out = Results.standard();
    out.line("quiet\tevents\tfolds\tratio\treopened");
    for (int i = 0; i < analyses.size(); i++) {
      FoldAnalysis analysis = analyses.get(i);
      analysis.end();
      out.line(
          "%s\t%d\t%d\t%s\t%d"
              .formatted(
                  DurationText.format(quiet.get(i)),
                  analysis.events(),
                  analysis.folds(),
                  String.format(Locale.ROOT, "%.3f", analysis.ratio()),
                  analysis.reopened()));
    }
    out.flush();
  }

  /** Counts the folds of events, with the events' times as log time. One thread. */
  static final class FoldAnalysis {
    private final Folds folds;
    private final EventDecoder decoder = new EventDecoder(new Limits(2 << 20, 1, 256));
    private long nowMs;
    private long events;
    private long emitted;
    private long reopened;

    FoldAnalysis(FoldSpec spec) {
      folds = new Folds(spec);
    }

    /**
     * Adds an event, unless it is scheduled or a cancellation. Time never goes back: an older event
     * has the time of its predecessor.
     */
    void add(Event event) {
      if (event.getDueMs() != 0 || event.getCancel()) {
        return;
      }
      nowMs = Math.max(nowMs, event.getTimestampMs());
      EventColumns columns;
      try {
        columns = decoder.decode(EventBatch.newBuilder().addEvents(event).build().toByteArray());
      } catch (UndecodableException e) {
        throw new IllegalArgumentException(e); // The caller has validated it.
      }
      folds.endDue(nowMs, Integer.MAX_VALUE, (fold, reason) -> emitted++);
      folds.add(columns, 0, events, nowMs, (fold, reason) -> emitted++);
      events++;
      reopened = folds.reopened();
      folds.written();
    }

    /** Ends the input: emits all folds. */
    void end() {
      emitted += folds.size();
      folds.clear();
    }

    long events() {
      return events;
    }

    long folds() {
      return emitted;
    }

    /** 1 - folds / events; 0 without events. */
    double ratio() {
      return events == 0 ? 0 : 1 - (double) emitted / events;
    }

    /** Keys with a new event within one quiet period after their fold was emitted. */
    long reopened() {
      return reopened;
    }
  }
}

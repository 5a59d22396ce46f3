package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.cli.rules.AlarmTrial;
import io.weir.internal.alarm.Alarm;
import io.weir.internal.alarm.AlarmTransition;
import io.weir.internal.alarm.KeptStatus;
import io.weir.internal.alarm.StatusSink;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.app.WindowSpecs;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextInputException;
import io.weir.internal.text.TextLine;
import io.weir.internal.window.SensorWindows;
import io.weir.reading.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir rules test}: prints the alarms that a recording would have raised. */
@Command(
    name = "test",
    description = "Print the alarms that a recording would have raised.",
    footer = {
      "",
      "Readings are CSV, JSON lines or line protocol, plain or gzip; each arrives at its own",
      "timestamp. Windows that are open at the end are evaluated as those of a silent sensor.",
      "The whole recording is kept in memory.",
      "Standard output is CSV, one line for each alarm that became active or cleared:",
      "timestamp_ms,sensor_id,rule,level,active,cause,value,limit,priority,window_start_ms",
      "",
      "Examples:",
      "  weir rules test rules.yaml readings.csv",
      "  weir rules test --window-size 1m rules.yaml last-week.csv.gz > alarms.csv"
    })
final class RulesTestCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions =
      new ConfigOptions(
          WindowKeys.WINDOW_SIZE,
          WindowKeys.WINDOW_GRACE,
          WindowKeys.IDLE_TIMEOUT,
          WindowKeys.SENSOR_TTL);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RULES", description = "The file of rules, in YAML.")
  private String rules;

  @Parameters(paramLabel = "READINGS", description = "The recording.")
  private Path recording;

  /** Prints transitions. */
  private static final class Transitions implements StatusSink {
    private final Results out;
    private long raised;
    private long cleared;

    Transitions(Results out) {
      this.out = out;
      out.line(
          "timestamp_ms,sensor_id,rule,level,active,cause,value,limit,priority,window_start_ms");
    }

    @Override
    public void transitioned(SensorWindows sensor, AlarmTransition transition) {
      Alarm alarm = transition.alarm();
      raised += alarm.isActive() ? 1 : 0;
      cleared += alarm.isActive() ? 0 : 1;
      out.line(
          String.join(
              ",",
              Long.toString(alarm.sinceMs()),
              quoted(sensor.name()),
              quoted(alarm.rule()),
              alarm.level().text(),
              Boolean.toString(alarm.isActive()),
              transition.cause().text(),
              Double.toString(alarm.value()),
              Double.toString(transition.limit()),
              Integer.toString(alarm.priority()),
              transition.windowStartMs() == Alarm.NONE
                  ? ""
                  : Long.toString(transition.windowStartMs())));
    }

    private static String quoted(String text) {
      boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public void status(SensorWindows sensor, KeptStatus status) {}

    @Override
    public void gone(SensorWindows sensor) {}
  }

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() throws IOException {
    WeirConfig config = RulesCheckCommand.config(configOptions, rules);
    Results out = Results.standard();
    List<Reading> readings = readings(config);
    Transitions transitions = new Transitions(out);
    AlarmTrial trial =
        new AlarmTrial(WindowSpecs.of(config.windows()), config.status().plan(), transitions);
    readings.forEach(trial::take);
    trial.end();
    out.flush();
    spec.commandLine()
        .getErr()
        .printf(
            Locale.ROOT,
            "%,d readings: %,d alarms became active, %,d cleared%n",
            readings.size(),
            transitions.raised,
            transitions.cleared);
    return 0;
  }

  /** All readings, sorted by time. */
  private List<Reading> readings(WeirConfig config) throws IOException {
    List<Reading> readings = new ArrayList<>();
    PrintWriter err = spec.commandLine().getErr();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(recording.toString()),
            Pipes.of(InputStream.nullInputStream()),
            SniffCommand.decided(recording, err),
            config.limits())) {
      for (TextLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof TextLine.Good good) {
          readings.add(good.reading());
        }
      }
      if (reader.bad() > 0) {
        err.println("bad lines: " + reader.badByReason());
      }
    } catch (NoSuchFileException e) {
      throw new ParameterException(spec.commandLine(), recording + ": no such file");
    } catch (TextInputException | IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), recording + ": no readings: " + e.getMessage());
    }
    readings.sort(Comparator.comparingLong(Reading::timestampMs));
    return readings;
  }
}

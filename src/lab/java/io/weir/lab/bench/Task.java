package io.weir.lab.bench;

import io.weir.internal.app.WindowKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a measured process is to do.
 *
 * @param run a name that no other run has: its topics and groups begin with it
 * @param topic where the load is; what a publisher ignores
 * @param readings how many there are to process
 * @param warmUp how many of them, the first ones, are not measured
 * @param threads that work
 * @param perSecond readings to offer a second, where that is given; of Weir, those that come from a
 *     paced fleet: it says when it is ready for them
 * @param keptWindows closed windows that Weir keeps of every sensor
 * @param recording to publish, where it is one
 * @param outOfOrderness how far behind the newest reading of its partition one may be in what has
 *     no time for each sensor
 * @param kept a directory that is there again where this process is killed and started once more;
 *     it says nothing but how many readings it has taken
 */
public record Task(
    Subject subject,
    String bootstrapServers,
    String run,
    String topic,
    long readings,
    long warmUp,
    int threads,
    long perSecond,
    int keptWindows,
    Optional<Recording> recording,
    Duration outOfOrderness,
    Optional<Path> kept) {
  private static final String NONE = "-";

  public Task {
    if (warmUp < 0 || warmUp >= readings) {
      throw new IllegalArgumentException("warm-up of " + warmUp + " of " + readings + " readings");
    }
  }

  /** The start after this task: from the changelog that it left. */
  Task restoring() {
    return new Task(
        Subject.RESTORE,
        bootstrapServers,
        run,
        topic,
        1,
        0,
        threads,
        perSecond,
        0,
        recording,
        outOfOrderness,
        kept);
  }

  /** The same in a process that may be killed, and started again. */
  Task keptIn(Path directory) {
    return new Task(
        subject,
        bootstrapServers,
        run,
        topic,
        readings,
        warmUp,
        threads,
        perSecond,
        keptWindows,
        recording,
        outOfOrderness,
        Optional.of(directory));
  }

  /** When its windows close. */
  Closing closing() {
    Closing.Time time = subject.closesBy();
    return new Closing(
        time,
        time == Closing.Time.SENSOR
            ? WindowKeys.WINDOW_GRACE.defaultValue().orElseThrow().toMillis()
            : outOfOrderness.toMillis());
  }

  List<String> toArguments() {
    return List.of(
        subject.name(),
        bootstrapServers,
        run,
        topic,
        Long.toString(readings),
        Long.toString(warmUp),
        Integer.toString(threads),
        Long.toString(perSecond),
        Integer.toString(keptWindows),
        recording.map(r -> r.file().toString()).orElse(NONE),
        recording.map(Recording::compression).orElse(NONE),
        outOfOrderness.toString(),
        kept.map(Path::toString).orElse(NONE));
  }

  static Task ofArguments(List<String> arguments) {
    return new Task(
        Subject.valueOf(arguments.get(0)),
        arguments.get(1),
        arguments.get(2),
        arguments.get(3),
        Long.parseLong(arguments.get(4)),
        Long.parseLong(arguments.get(5)),
        Integer.parseInt(arguments.get(6)),
        Long.parseLong(arguments.get(7)),
        Integer.parseInt(arguments.get(8)),
        arguments.get(9).equals(NONE)
            ? Optional.empty()
            : Optional.of(new Recording(Path.of(arguments.get(9)), arguments.get(10))),
        Duration.parse(arguments.get(11)),
        arguments.get(12).equals(NONE)
            ? Optional.empty()
            : Optional.of(Path.of(arguments.get(12))));
  }
}

package io.weir.cli;

import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.Printable;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextForm;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Publishes files once, one after the other: as fast as they can be sent, or at a multiple of the
 * pace of their timestamps. The timestamps stay as they are. Used by one thread.
 */
public final class FilePlay {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);
  private static final long NANOS_PER_MS = 1_000_000;

  private record Part(String file, TextForm form) {}

  private final List<Part> parts;
  private final double speed;
  private final StopSignal stop;
  private final PrintWriter err;
  private long firstMs = Long.MIN_VALUE;
  private long firstNanos;

  private FilePlay(List<Part> parts, double speed, StopSignal stop, PrintWriter err) {
    this.parts = parts;
    this.speed = speed;
    this.stop = stop;
    this.err = err;
  }

  /**
   * Looks at the files, and says what they are taken for.
   *
   * @param given the form of all files; if empty, it is detected
   * @param speed 0 for as fast as possible
   * @throws StartRefusedException if something of a form is not decided, or a file has no reading
   */
  public static FilePlay of(
      List<Path> files, Optional<TextForm> given, double speed, StopSignal stop, PrintWriter err)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Path file : files) {
      parts.add(new Part(file.toString(), given.isPresent() ? given.get() : detect(file, err)));
    }
    return new FilePlay(parts, speed, stop, err);
  }

  private static TextForm detect(Path file, PrintWriter err) throws IOException {
    SniffCommand.Look look = SniffCommand.look(file);
    look.sniffed().says().forEach(line -> err.println("weir up: " + file + ": " + line));
    List<String> open = look.sniffed().undecided();
    if (look.readings().isEmpty()) {
      throw new StartRefusedException(
          "%s: no reading was found%s; set the options of weir edge by hand, see docs/files.md"
              .formatted(file, look.failure().map(why -> ": " + why).orElse("")));
    }
    if (!open.isEmpty()) {
      String typed = look.sniffed().typed();
      throw new StartRefusedException(
          "%s: not decided: %s; to accept this, run: weir up%s %s"
              .formatted(
                  file,
                  String.join("; ", open),
                  typed.isEmpty() ? " --format auto" : typed,
                  Printable.shellWord(file.toString())));
    }
    err.flush();
    return SniffCommand.form(look.sniffed());
  }

  /**
   * Publishes until the files end or a signal asks to stop, and prints the counts.
   *
   * @throws IOException if a file cannot be read
   */
  public void run(ReadingPublisher publisher, Limits limits) throws IOException {
    for (Part part : parts) {
      Pipes noPipes = Pipes.of(InputStream.nullInputStream());
      try (ReadingTextReader reader =
          ReadingTextReader.open(List.of(part.file), noPipes, part.form, limits)) {
        TextFeed feed =
            new TextFeed(
                reader,
                publisher,
                Optional.empty(),
                note -> err.println("weir up: " + part.file + ": " + note),
                this::awaitTurn);
        feed.run(stop::isStopped, () -> {});
        err.printf(
            Locale.ROOT,
            "weir up: %s: %,d readings, %,d bad lines%n",
            part.file,
            feed.accepted(),
            feed.bad());
        TextSummary.print(reader, err);
      }
    }
  }

  private void awaitTurn(Reading reading) {
    if (speed == 0) {
      return;
    }
    if (firstMs == Long.MIN_VALUE) {
      firstMs = reading.timestampMs();
      firstNanos = System.nanoTime();
    }
    double afterNanos = (reading.timestampMs() - firstMs) / speed * NANOS_PER_MS;
    long left = (long) (afterNanos - (System.nanoTime() - firstNanos));
    while (left > 0 && !stop.await(Duration.ofNanos(Math.min(left, LOOK_EVERY.toNanos())))) {
      left = (long) (afterNanos - (System.nanoTime() - firstNanos));
    }
  }
}

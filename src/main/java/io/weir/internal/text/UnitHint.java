package io.weir.internal.text;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Says in one line which unit timestamps were meant in. */
final class UnitHint {
  private static final List<String> NAMES =
      List.of("nanoseconds", "microseconds", "milliseconds", "seconds");
  private static final List<String> SYMBOLS = List.of("ns", "us", "ms", "s");
  private static final int DIGITS_A_STEP = 3;

  private UnitHint() {}

  static Optional<String> of(UnitGuess guess, TextForm form) {
    int taken = SYMBOLS.indexOf(unit(form));
    int meant = taken + guess.digits() / DIGITS_A_STEP;
    if (guess.digits() == 0 || taken < 0 || meant < 0 || meant >= SYMBOLS.size()) {
      return Optional.empty();
    }
    boolean lines = form.mapping().isEmpty() && form.format() == TextFormat.LINE_PROTOCOL;
    return Optional.of(
        "the timestamps look like %s but are read as %s, so that the first is %s; if so: %s %s"
            .formatted(
                NAMES.get(meant),
                NAMES.get(taken),
                moment(guess.first()),
                lines ? "--precision" : "--time-format",
                (lines ? "" : "epoch-") + SYMBOLS.get(meant)));
  }

  private static String moment(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /** The unit that timestamps are counted in, if they are counts. */
  private static String unit(TextForm form) {
    if (form.mapping().isPresent()) {
      return form.mapping().get().time().text().replaceFirst("^epoch-", "");
    }
    return form.format() == TextFormat.LINE_PROTOCOL ? form.unit().symbol() : "ms";
  }
}

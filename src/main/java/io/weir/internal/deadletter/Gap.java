package io.weir.internal.deadletter;

import io.weir.v1.AcceptedLoss;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Offsets of a partition whose records were deleted before they were read, or were lost with a
 * state. As text {@code from-to}.
 *
 * @param from the first one, where the state ended: 0 for a state that began behind the gap
 * @param to the first offset behind them
 */
public record Gap(long from, long to) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})");

  /** The gap of an accepted loss: at least one offset, also where a topic lost its end. */
  public static Gap of(AcceptedLoss loss) {
    long from = loss.getStateEnd();
    return new Gap(from, Math.max(from + 1, loss.getNextOffset()));
  }

  /** Whether who accepts it has accepted another one too: itself, or one before it. */
  public boolean covers(Gap other) {
    return equals(other) || from >= other.to;
  }

  /** Parses the text; empty if it is invalid. */
  public static Optional<Gap> parse(String text) {
    Matcher numbers = TEXT.matcher(text);
    return numbers.matches()
        ? Optional.of(new Gap(Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return from + "-" + to;
  }
}

package io.weir.internal.deadletter;

import io.weir.v1.AcceptedLoss;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Offsets of a partition whose records were deleted before they were read, or were lost with a
 * state. As text {@code from-to@life}.
 *
 * @param life of the state that ended in front of the gap; {@link Life#NONE} if all of it was lost
 * @param from the first offset, where the state ended: 0 for a state that began behind the gap
 * @param to the first offset behind them
 */
public record Gap(Life life, long from, long to) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})@(.*)");

  /** The gap of an accepted loss: at least one offset, also where a topic lost its end. */
  public static Gap of(AcceptedLoss loss) {
    long from = loss.getStateEnd();
    return new Gap(new Life(loss.getLife()), from, Math.max(from + 1, loss.getNextOffset()));
  }

  /**
   * Whether who accepts it has accepted another one too: itself, or one of its life that does not
   * end behind it. A life that lost its end may have met gaps in what was lost.
   */
  public boolean covers(Gap other) {
    return life.equals(other.life) && to >= other.to;
  }

  /** Parses the text; empty if it is invalid. */
  public static Optional<Gap> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? Life.parse(parts.group(3))
            .map(
                life ->
                    new Gap(life, Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return from + "-" + to + "@" + life;
  }
}

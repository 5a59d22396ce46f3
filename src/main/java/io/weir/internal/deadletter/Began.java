package io.weir.internal.deadletter;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the state of a partition began, behind records that it has not read. As text {@code offset
 * beforeMs}.
 *
 * @param offset the first one that the state has read
 * @param beforeMs an earlier state may have published windows in full that start before this
 */
public record Began(long offset, long beforeMs) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18}) (-?[0-9]{1,18})");

  /** Parses the text; empty if it is invalid. */
  public static Optional<Began> parse(String text) {
    Matcher numbers = TEXT.matcher(text);
    return numbers.matches()
        ? Optional.of(new Began(Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return offset + " " + beforeMs;
  }
}

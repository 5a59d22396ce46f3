package io.weir.internal.redrive;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Offsets of a partition whose records an operator has looked at: those that cannot be read are no
 * windows.
 *
 * @param first included
 * @param last included
 */
public record KnownOffsets(int partition, long first, long last) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9}):(\\d{1,18})(?:-(\\d{1,18}))?");

  /**
   * Parses {@code PARTITION:OFFSET} or {@code PARTITION:FIRST-LAST}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static KnownOffsets parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (parts.matches()) {
      long first = Long.parseLong(parts.group(2));
      long last = parts.group(3) == null ? first : Long.parseLong(parts.group(3));
      if (first <= last) {
        return new KnownOffsets(Integer.parseInt(parts.group(1)), first, last);
      }
    }
    throw new IllegalArgumentException(text + ": expected: 26:1234 or 26:1234-1240");
  }

  boolean contains(int ofPartition, long offset) {
    return partition == ofPartition && first <= offset && offset <= last;
  }
}

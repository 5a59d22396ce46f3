package io.weir.internal.text;

import io.weir.reading.Fnv1a;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The ids seen lately, so that a sensor's id is one string however many readings it has. A fixed
 * number of places, each holding the last id that hashed to it: bounded memory, no eviction to do.
 */
final class SensorIds {
  private static final int PLACES = 1 << 16;

  /** More characters than any id may have bytes. */
  private static final int LONGEST_PART = 4_097;

  private final byte[][] utf8 = new byte[PLACES][];
  private final String[] ids = new String[PLACES];

  /** The id that the bytes spell in UTF-8, which they must be. */
  String of(byte[] bytes, int from, int to) {
    int hash = Fnv1a.hash(bytes, from, to - from);
    int place = (hash ^ hash >>> 16) & (PLACES - 1);
    byte[] known = utf8[place];
    if (known == null || !Arrays.equals(known, 0, known.length, bytes, from, to)) {
      utf8[place] = Arrays.copyOfRange(bytes, from, to);
      ids[place] = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
    return ids[place];
  }

  /** Cuts a part that no id may have: each reading of a line or record has a copy of it. */
  static String cut(String part) {
    if (part.length() <= LONGEST_PART) {
      return part;
    }
    boolean splits = Character.isHighSurrogate(part.charAt(LONGEST_PART - 1));
    return part.substring(0, splits ? LONGEST_PART + 1 : LONGEST_PART);
  }
}

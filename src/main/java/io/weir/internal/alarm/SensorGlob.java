package io.weir.internal.alarm;

/**
 * A pattern of sensor ids: {@code *} matches any characters including slashes, or none; {@code ?}
 * matches one. Case-sensitive. Immutable.
 *
 * @param text the pattern, not empty
 */
public record SensorGlob(String text) {
  public SensorGlob {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("the pattern is empty");
    }
  }

  /** Whether an id matches; costs at most the product of both lengths. */
  public boolean fits(String id) {
    int at = 0;
    int pattern = 0;
    int star = -1;
    int starAt = 0;
    while (at < id.length()) {
      if (pattern < text.length() && text.charAt(pattern) == '*') {
        star = pattern++;
        starAt = at;
      } else if (pattern < text.length()
          && (text.charAt(pattern) == '?' || text.charAt(pattern) == id.charAt(at))) {
        at++;
        pattern++;
      } else if (star >= 0) {
        // The last star matches one more character.
        pattern = star + 1;
        at = ++starAt;
      } else {
        return false;
      }
    }
    while (pattern < text.length() && text.charAt(pattern) == '*') {
      pattern++;
    }
    return pattern == text.length();
  }
}

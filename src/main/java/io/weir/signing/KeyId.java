package io.weir.signing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies a key in a signature: {@code <master id>.<generation>}, or {@code <master
 * id>.redrive}.
 *
 * @param master 1 to 64 of the characters a-z A-Z 0-9 _ -
 * @param generation generation of a gateway's key, from 1; {@link #REDRIVE} for the redrive key
 */
record KeyId(String master, int generation) {
  static final int REDRIVE = 0;
  static final String MASTER_ALLOWED = "1 to 64 of the characters a-z A-Z 0-9 _ -";

  private static final Pattern MASTER = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern TEXT =
      Pattern.compile("([A-Za-z0-9_-]{1,64})\\.(redrive|[1-9][0-9]{0,8})");

  static boolean isMaster(String text) {
    return MASTER.matcher(text).matches();
  }

  /** Parses an id; null if the text is invalid. */
  static KeyId parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    boolean redrive = parts.group(2).equals("redrive");
    return new KeyId(parts.group(1), redrive ? REDRIVE : Integer.parseInt(parts.group(2)));
  }

  boolean isRedrive() {
    return generation == REDRIVE;
  }

  @Override
  public String toString() {
    return master + "." + (isRedrive() ? "redrive" : generation);
  }
}

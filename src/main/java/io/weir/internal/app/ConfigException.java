package io.weir.internal.app;

import java.util.regex.Pattern;

/** An invalid setting. The message is one line with key, value and the expected values. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int MAX_VALUE_CHARS = 100;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

  public ConfigException(String message) {
    super(CONTROL.matcher(message).replaceAll(" "));
  }

  /** For one key: {@code key = value (from source): why}. */
  static ConfigException of(String key, String value, String source, String why) {
    return new ConfigException(
        key + " = " + shown(key, value, source) + " (from " + source + "): " + why);
  }

  private static String shown(String key, String value, String source) {
    String safe = Secrets.refused(key, value, source);
    return safe.length() <= MAX_VALUE_CHARS ? safe : safe.substring(0, MAX_VALUE_CHARS) + "...";
  }
}

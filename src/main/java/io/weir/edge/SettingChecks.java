package io.weir.edge;

/**
 * Rejects invalid settings with one line that names the setting, its value and the allowed values.
 */
final class SettingChecks {
  private SettingChecks() {}

  static void requireThat(boolean allowed, String setting, Object value, String whatIsAllowed) {
    if (!allowed) {
      throw new IllegalArgumentException(
          setting + " is '" + value + "'; expected: " + whatIsAllowed);
    }
  }

  static void requireBetween(String setting, long value, long min, long max) {
    requireThat(value >= min && value <= max, setting, value, min + " to " + max);
  }

  static void requireBetween(
      String setting, Object value, long measured, long min, long max, String unit) {
    requireThat(
        measured >= min && measured <= max, setting, value, min + " to " + max + " " + unit);
  }
}

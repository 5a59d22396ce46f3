package io.weir.internal.input;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who writes.
 *
 * @param name for metrics and sensor ids
 * @param inputs that it may use; empty for all
 * @param sensors patterns of the sensor ids that it may write; empty for all
 * @param template of its sensor ids, in place of the input's
 */
public record Client(
    String name, Set<String> inputs, List<String> sensors, Optional<SensorTemplate> template) {
  /** Every client, where there is no clients' file. */
  public static final Client LOCAL = new Client("local", Set.of(), List.of(), Optional.empty());

  /** Whose share it uses: without tokens an address is a sender. */
  public String sender(String address) {
    return this == LOCAL ? address : name;
  }

  public boolean mayUse(String input) {
    return inputs.isEmpty() || inputs.contains(input);
  }

  public boolean mayWrite(String sensorId) {
    return sensors.isEmpty() || sensors.stream().anyMatch(pattern -> matches(pattern, sensorId));
  }

  /** Whether a text matches a pattern in which each asterisk stands for any text. */
  static boolean matches(String pattern, String text) {
    String[] parts = pattern.split("\\*", -1);
    if (parts.length == 1) {
      return pattern.equals(text);
    }
    if (!text.startsWith(parts[0])) {
      return false;
    }
    int at = parts[0].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = text.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    String last = parts[parts.length - 1];
    return text.length() - at >= last.length() && text.endsWith(last);
  }
}

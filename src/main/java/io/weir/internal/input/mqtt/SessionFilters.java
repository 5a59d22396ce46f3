package io.weir.internal.input.mqtt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The filters that the broker's session has, kept on disk: those that went from the settings are
 * unsubscribed, or their messages would come for ever. For one thread.
 */
final class SessionFilters {
  private final Path file;
  private final List<String> wanted;

  SessionFilters(Path file, List<String> wanted) {
    this.file = file;
    this.wanted = List.copyOf(wanted);
  }

  /** Whether there was a session. */
  boolean hadSession() {
    return Files.exists(file);
  }

  /** Makes the session's filters those of the settings. */
  void apply(MqttConnection connection) throws IOException {
    List<String> gone = hadSession() ? new ArrayList<>(Files.readAllLines(file)) : List.of();
    List<String> before = List.copyOf(gone);
    if (!gone.isEmpty()) {
      gone.removeAll(wanted);
      connection.unsubscribe(gone);
    }
    connection.subscribe(wanted);
    if (!before.equals(wanted)) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, wanted);
    }
  }
}

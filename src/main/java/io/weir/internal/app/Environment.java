package io.weir.internal.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Environment variables of one prefix: each {@code NAME} may instead be {@code NAME_FILE}, the path
 * of a file with the value. Remembers which variables were not read.
 *
 * <p>Ignores values such as tcp://10.0.0.7:8080: Kubernetes sets WEIR_HTTP_PORT to this for a
 * service weir-http.
 */
final class Environment {
  static final String FILE = "_FILE";

  private static final Pattern INJECTED = Pattern.compile("(tcp|udp|sctp)://.*");

  private final TreeMap<String, String> variables = new TreeMap<>();

  /** The value of a variable, and the name of the variable that set it. */
  record Found(String value, String source) {}

  Environment(String prefix, Map<String, String> all) {
    all.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            variables.put(name, value);
          }
        });
  }

  /**
   * The value of a variable, given directly or as a file.
   *
   * @throws ConfigException if both are set, or the file cannot be read
   */
  Optional<Found> take(String name) {
    String value = remove(name);
    String file = remove(name + FILE);
    if (value != null && file != null) {
      throw ConfigException.of(
          name + FILE, file, "the environment", name + " is set as well; expected: one of them");
    }
    if (value != null) {
      return Optional.of(new Found(value.strip(), name));
    }
    return Optional.ofNullable(file).map(path -> new Found(read(name, path), name + FILE));
  }

  /** Names of the variables that were not read, sorted. */
  List<String> untaken() {
    return List.copyOf(variables.keySet());
  }

  private String remove(String name) {
    String value = variables.get(name);
    return value == null || INJECTED.matcher(value).matches() ? null : variables.remove(name);
  }

  private static String read(String name, String path) {
    try {
      return Files.readString(Path.of(path)).strip();
    } catch (IOException | IllegalArgumentException e) {
      throw ConfigException.of(
          name + FILE, path, "the environment", "expected: a readable file of UTF-8 text");
    }
  }
}

package io.weir.app;

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
 * of a file that holds the value. What nobody took is left over.
 *
 * <p>A value such as tcp://10.0.0.7:8080 is never taken: Kubernetes injects it as WEIR_HTTP_PORT
 * for a service called weir-http.
 */
final class Environment {
  static final String FILE = "_FILE";

  private static final Pattern INJECTED = Pattern.compile("(tcp|udp|sctp)://.*");

  private final TreeMap<String, String> variables = new TreeMap<>();

  /** A variable's value, and the name of the variable that gave it. */
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
   * @throws ConfigException if it is given both ways, or the file cannot be read
   */
  Optional<Found> take(String name) {
    String value = remove(name);
    String file = remove(name + FILE);
    if (value != null && file != null) {
      throw ConfigException.of(
          name + FILE, file, "the environment", name + " is set as well: only one is allowed");
    }
    if (value != null) {
      return Optional.of(new Found(value.strip(), name));
    }
    return Optional.ofNullable(file).map(path -> new Found(read(name, path), name + FILE));
  }

  /** Names of the variables not yet taken, sorted. */
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

package io.weir.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder of recordings beside the project: {@code data} in the folder that the system property
 * {@code weir.shared} or the environment's {@code WEIR_SHARED} names, else the first {@code
 * ../shared/data} on the way up from the working directory.
 */
public final class SharedData {
  private SharedData() {}

  public static Optional<Path> folder() {
    String named = System.getProperty("weir.shared", System.getenv("WEIR_SHARED"));
    if (named != null && !named.isEmpty()) {
      return Optional.of(Path.of(named, "data")).filter(Files::isDirectory);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path candidate = at.resolveSibling("shared").resolve("data");
      if (Files.isDirectory(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }
}

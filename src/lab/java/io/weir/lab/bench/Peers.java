package io.weir.lab.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directory with classes and libraries of {@linkplain Subject#isPeer peers}. */
public final class Peers {
  /** Flink's serializers look into collections and strings. */
  static final List<String> FLAGS =
      List.of(
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED");

  private static final String CLASSES = "classes";
  private static final String LIBRARIES = "dependency";

  private Peers() {}

  /** Whether there are any. */
  public static boolean areIn(Path directory) {
    return Files.isDirectory(directory.resolve(CLASSES))
        && Files.isDirectory(directory.resolve(LIBRARIES));
  }

  /** In front of Weir's own class path: they want other versions of Kafka's clients. */
  static String classPath(Path directory) {
    return directory.resolve(CLASSES)
        + File.pathSeparator
        + directory.resolve(LIBRARIES).resolve("*")
        + File.pathSeparator;
  }
}

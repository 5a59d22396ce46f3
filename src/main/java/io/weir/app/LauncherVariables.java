package io.weir.app;

import java.util.Set;

/** Variables that are read before Weir is: by the launcher and by the log's configuration. */
final class LauncherVariables {
  static final Set<String> NAMES =
      Set.of("WEIR_JAVA_OPTS", "WEIR_LOG_LEVEL", "WEIR_KAFKA_LOG_LEVEL");

  private LauncherVariables() {}
}

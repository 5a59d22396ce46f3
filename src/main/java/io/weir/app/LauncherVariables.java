package io.weir.app;

import java.util.Set;

/** Variables that the launcher reads, and Weir does not. */
final class LauncherVariables {
  static final Set<String> NAMES = Set.of("WEIR_JAVA_OPTS");

  private LauncherVariables() {}
}

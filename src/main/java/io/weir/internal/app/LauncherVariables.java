package io.weir.internal.app;

import java.util.Set;

/** Variables that only the launcher reads. */
final class LauncherVariables {
  static final Set<String> NAMES = Set.of("WEIR_JAVA_OPTS");

  private LauncherVariables() {}
}

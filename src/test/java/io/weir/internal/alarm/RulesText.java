package io.weir.internal.alarm;

import java.util.List;

/** Rules out of text, for tests of all packages. */
public final class RulesText {
  private RulesText() {}

  /** Rules, each one in YAML's flow style. */
  public static Rules of(long windowSizeMs, List<String> rules) {
    return RulesFile.parse("rules.yaml", "rules: [" + String.join(", ", rules) + "]", windowSizeMs);
  }

  /** The same. */
  public static Rules of(long windowSizeMs, String... rules) {
    return of(windowSizeMs, List.of(rules));
  }
}

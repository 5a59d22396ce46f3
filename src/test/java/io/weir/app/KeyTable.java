package io.weir.app;

/** The catalogue of settings as texts: for docs/configuration.md and for help. */
public final class KeyTable {
  private KeyTable() {}

  /** A Markdown table of all settings. */
  public static String markdown() {
    StringBuilder table = new StringBuilder("| key | default | meaning |\n|---|---|---|\n");
    for (Key<?> key : Keys.ALL) {
      table
          .append("| `")
          .append(key.propertyName())
          .append("` | ")
          .append(key.defaultText().isEmpty() ? "unset" : key.defaultText())
          .append(" | ")
          .append(key.meaning())
          .append(" |\n");
    }
    return table.toString();
  }

  /** All settings for a terminal: each name and default in a line, its meaning below. */
  public static String help() {
    StringBuilder text = new StringBuilder();
    for (Key<?> key : Keys.ALL) {
      text.append("  ").append(key.propertyName());
      if (!key.defaultText().isEmpty()) {
        text.append(" (").append(key.defaultText()).append(')');
      }
      text.append("\n      ").append(key.meaning()).append('\n');
    }
    return text.toString();
  }
}

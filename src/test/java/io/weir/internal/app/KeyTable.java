package io.weir.internal.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The catalogue of settings as texts: for docs/reference/configuration.md and for help. */
public final class KeyTable {
  /** Headings of the page, each with the names below it; a setting is below the first that fits. */
  private static final Map<String, Pattern> SECTIONS = new LinkedHashMap<>();

  static {
    section("Kafka", "bootstrap.servers|plant|application.id|instance.id|replication.factor");
    section("Topics", "topic\\..*|changelog\\..*");
    section("Statistics", "statistics.*|samples\\..*");
    section("Rollups and hopping windows", "rollups|hopping.*");
    section("Status and alarms", "status|silent.after|rules.file|group");
    section("Events", "events.*|fold.*|timers\\..*|handlers\\.max\\..*");
    section("Groups", "groups.*");
    section("Outputs", OutputKeys.ALL);
    section("Process", "state.dir|threads|http\\..*|ready\\..*|start\\..*|(kafka\\.)?log\\..*");
    section("Limits on input", "max\\.(?!future).*");
    section("Signatures and permissions", "signing.*|gateways.file");
    section("weir edge", EdgeKeys.ALL);
    section("Inputs of weir edge", InputKeys.ALL);
    section("MQTT input of weir edge", MqttKeys.ALL);
    section("Sparkplug input of weir edge", SparkplugKeys.ALL);
    section("weir sink", SinkKeys.ALL);
    section("weir collect", CollectKeys.ALL);
    section("weir import", ImportKeys.ALL);
    section("weir serve", ServeKeys.ALL);
    section("Schema registry", RegistryKeys.ALL);
    section("Windows", WindowKeys.ALL);
  }

  private static final List<String> ORDER =
      List.of(
          "Kafka",
          "Process",
          "Windows",
          "Statistics",
          "Rollups and hopping windows",
          "Outputs",
          "Status and alarms",
          "Events",
          "Groups",
          "weir edge",
          "Inputs of weir edge",
          "MQTT input of weir edge",
          "Sparkplug input of weir edge",
          "weir sink",
          "weir collect",
          "weir import",
          "weir serve",
          "Signatures and permissions",
          "Limits on input",
          "Topics",
          "Schema registry");

  private KeyTable() {}

  private static void section(String title, String names) {
    SECTIONS.put(title, Pattern.compile(names));
  }

  private static void section(String title, List<Key<?>> keys) {
    section(title, String.join("|", keys.stream().map(key -> Pattern.quote(key.name())).toList()));
  }

  /** A Markdown table of settings for each section. */
  public static String markdown() {
    Map<String, StringBuilder> tables = new LinkedHashMap<>();
    ORDER.forEach(title -> tables.put(title, begin(title)));
    for (Key<?> key : Keys.ALL) {
      row(key, tables.get(sectionOf(key)));
    }
    return String.join("\n", tables.values());
  }

  private static String sectionOf(Key<?> key) {
    return SECTIONS.entrySet().stream()
        .filter(section -> section.getValue().matcher(key.name()).matches())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no section for " + key.propertyName()))
        .getKey();
  }

  private static StringBuilder begin(String title) {
    return new StringBuilder(
        "## " + title + "\n\n| setting | default | meaning |\n|---|---|---|\n");
  }

  private static void row(Key<?> key, StringBuilder table) {
    table
        .append("| `")
        .append(key.propertyName())
        .append("` | ")
        .append(key.defaultText())
        .append(" | ")
        .append(key.meaning())
        .append(" |\n");
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

package io.weir.lab.cli.demo;

import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.InputKeys;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.ServeKeys;
import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of {@code weir up} as services of their own: settings, commands, values of the chart.
 */
final class PrintedServices {
  /** Paths and addresses of this machine; the chart sets its own. */
  private static final Set<String> NOT_OF_THE_CHART =
      Stream.of(
              Keys.STATE_DIR,
              EdgeKeys.SPOOL_DIR,
              EdgeKeys.GATEWAY_ID,
              EventKeys.RULES_FILE,
              InputKeys.LISTEN,
              InputKeys.CLIENTS_FILE,
              InputKeys.TLS_CERT,
              InputKeys.TLS_KEY,
              ServeKeys.LISTEN,
              ServeKeys.CLIENTS_FILE)
          .map(Key::propertyName)
          .collect(Collectors.toUnmodifiableSet());

  private static final String HIDDEN = "(hidden)";

  private PrintedServices() {}

  /** What a person puts into files and types; secrets are left out. */
  static List<String> lines(WeirConfig config) throws IOException {
    SortedMap<String, String> changed = new TreeMap<>(config.shown());
    Map<String, String> defaults = WeirConfig.of(new Properties(), Map.of(), Map.of()).shown();
    changed.entrySet().removeAll(defaults.entrySet());
    changed.put(
        Keys.BOOTSTRAP_SERVERS.propertyName(),
        config.shown().get(Keys.BOOTSTRAP_SERVERS.propertyName()));
    List<String> lines = new ArrayList<>();
    lines.add(
        "# weir.properties, the same for each service; variables KAFKA_... are to be set too");
    changed.forEach(
        (name, value) ->
            lines.add(
                value.contains(HIDDEN)
                    ? "# " + name + " is secret: set it"
                    : name + " = " + value.replace("\\", "\\\\")));
    lines.add("");
    lines.add("# commands, each a service");
    for (String command : List.of("topics", "run", "edge", "serve")) {
      lines.add("weir " + command + " --config weir.properties");
    }
    lines.add("");
    lines.add(
        "# values.yaml; the Secret has the file clients.yaml of those who may write and read;");
    lines.add("# for TLS set edge.tls.secret, or weir.edge.plaintext: true in config");
    lines.add("config:");
    changed.forEach(
        (name, value) -> {
          if (!NOT_OF_THE_CHART.contains(name) && !value.contains(HIDDEN)) {
            lines.add("  " + name + ": \"" + value.replaceAll("([\"\\\\])", "\\\\$1") + "\"");
          }
        });
    lines.add("edge:");
    lines.add("  enabled: true");
    lines.add("  listen: [" + ports(config) + "]");
    lines.add("  spool: {enabled: true}");
    lines.add("  clients: {secret: weir-clients}");
    lines.add("serve:");
    lines.add("  enabled: true");
    lines.add("  clients: {secret: weir-clients}");
    String rules = changed.get(EventKeys.RULES_FILE.propertyName());
    if (rules != null) {
      lines.add("rules: |");
      Files.readAllLines(Path.of(rules)).forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  private static String ports(WeirConfig config) {
    return config.input().http().listen().stream()
        .map(address -> address.substring(address.lastIndexOf(':') + 1))
        .collect(Collectors.joining(", "));
  }
}

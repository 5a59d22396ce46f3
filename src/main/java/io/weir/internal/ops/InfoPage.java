package io.weir.internal.ops;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.app.WeirConfig;
import java.util.function.Supplier;

/** Version and settings of the process, as JSON, without data and secrets. */
public final class InfoPage implements Page {
  private final BuildInfo build;
  private final WeirConfig config;
  private final Supplier<String> topology;

  /**
   * @param topology its description, as lines of text; may be empty
   */
  public InfoPage(BuildInfo build, WeirConfig config, Supplier<String> topology) {
    this.build = build;
    this.config = config;
    this.topology = topology;
  }

  @Override
  public Reply.Text reply(PageRequest request) {
    return new Reply.Text(200, "application/json", json(build, config, topology.get()));
  }

  private static String json(BuildInfo build, WeirConfig config, String topology) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", build.version());
    json.put("revision", build.revision());
    json.put("java", System.getProperty("java.version"));
    config.shown().forEach(json.putObject("configuration")::put);
    config.kafka().shown().forEach(json.putObject("kafka")::put);
    if (!topology.isEmpty()) {
      topology.stripTrailing().lines().forEach(json.putArray("topology")::add);
    }
    return json.toPrettyString() + "\n";
  }
}

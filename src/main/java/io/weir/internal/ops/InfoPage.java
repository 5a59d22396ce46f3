package io.weir.internal.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;

/** Version and settings of the process, as JSON, without data and secrets. */
public final class InfoPage implements Page {
  private static final JsonFactory JSON = new JsonFactory();

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
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("version", build.version());
      json.writeStringField("revision", build.revision());
      json.writeStringField("java", System.getProperty("java.version"));
      write("configuration", config.shown(), json);
      write("kafka", config.kafka().shown(), json);
      if (!topology.isEmpty()) {
        json.writeArrayFieldStart("topology");
        for (String line : topology.stripTrailing().split("\n")) {
          json.writeString(line);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void write(String name, Map<String, String> settings, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      json.writeStringField(setting.getKey(), setting.getValue());
    }
    json.writeEndObject();
  }
}

package io.weir.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.cli.output.Results;
import io.weir.internal.app.Keys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.explain.ExplainSettings;
import io.weir.internal.explain.Explainer;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.Explanation.Verdict;
import io.weir.internal.explain.ExplanationJson;
import io.weir.internal.explain.ExplanationText;
import io.weir.internal.explain.TopicLog;
import io.weir.topic.Topic;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir explain}: says from which batches a window was computed, and whether it is right. */
@Command(
    name = "explain",
    description = "Show why a window is what it is, and check it.",
    footer = {
      "",
      "Lists each batch with readings of the window: its offset, gateway and sequence, and",
      "whether it was counted, repeated, late or refused. Recomputes the window from the",
      "counted readings with a naive model, and compares it with the last emission bit by bit.",
      "Reads the sensor's partition from the window's start on. Settings are those of weir run.",
      "Exit status: 0 matches, 1 differs or cannot tell, 2 wrong usage.",
      "",
      "Examples:",
      "  weir explain boiler-3/temperature 2026-11-25T12:00:00Z",
      "  weir explain boiler-3/temperature 2026-11-25T12:00:00Z --size 1h --rollups 1m,1h",
      "  weir explain boiler-3/temperature 1764072000000 --json"
    })
final class ExplainCommand extends ClusterCommand {
  private static final int MAX_ID_BYTES = 4_096;

  @Parameters(index = "0", paramLabel = "SENSOR", description = "The sensor's id.")
  private String sensor;

  @Parameters(
      index = "1",
      paramLabel = "WINDOW_START",
      description = "First moment of the window: 2026-11-25T12:00:00Z, or milliseconds.")
  private String start;

  @Option(
      names = "--size",
      paramLabel = "DURATION",
      description = "Length of a rollup or hopping window.")
  private Duration size;

  @Option(
      names = "--scan-bytes",
      paramLabel = "BYTES",
      description = "Bytes to read of each topic (2147483648).")
  private long scanBytes = 2L << 30;

  @Option(names = "--json", description = "One object of JSON.")
  private boolean json;

  ExplainCommand() {
    super(
        TopicKeys.with(
            List.of(
                Keys.BOOTSTRAP_SERVERS,
                Keys.APPLICATION_ID,
                WindowKeys.WINDOW_SIZE,
                WindowKeys.WINDOW_GRACE,
                WindowKeys.ALLOWED_LATENESS,
                WindowKeys.IDLE_TIMEOUT,
                WindowKeys.MAX_FUTURE_SKEW,
                WindowKeys.SENSOR_TTL,
                WindowKeys.GATEWAY_TTL,
                WindowKeys.MARK_TTL,
                WindowKeys.ROLLUPS,
                WindowKeys.HOPPING,
                SigningKeys.SIGNING),
            Topic.READINGS,
            Topic.WINDOWS,
            Topic.ROLLUPS,
            Topic.HOPPING,
            Topic.LATE,
            Topic.DEAD_LETTERS,
            Topic.CONTROL));
  }

  @Override
  void checkUsage() {
    if (sensor.isEmpty() || sensor.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
      throw wrongUsage("SENSOR: expected: 1 to " + MAX_ID_BYTES + " bytes");
    }
    if (scanBytes < 1) {
      throw wrongUsage("--scan-bytes " + scanBytes + ": expected: 1 or more");
    }
    startMs();
  }

  private long startMs() {
    try {
      return start.matches("\\d{1,18}")
          ? Long.parseLong(start)
          : OffsetDateTime.parse(start).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw wrongUsage(
          "WINDOW_START " + start + ": expected: 2026-11-25T12:00:00Z, or milliseconds");
    }
  }

  @Override
  int run(WeirConfig config) {
    ExplainSettings settings = ExplainSettings.of(config, scanBytes);
    if (size != null && !settings.hasLength(size.toMillis())) {
      throw wrongUsage(
          "--size: expected: a length of --rollups, of --hopping, or of --window-size");
    }
    OptionalLong sizeMs = size == null ? OptionalLong.empty() : OptionalLong.of(size.toMillis());
    Explanation explanation;
    try (Admin admin = Connections.admin(config.kafka());
        TopicLog log =
            new TopicLog(
                settings, config.applicationId(), admin, () -> Connections.reader(config))) {
      explanation = Explainer.explain(settings, log, sensor, startMs(), sizeMs);
    }
    Results out = Results.standard();
    if (json) {
      out.line(json(explanation));
    } else {
      ExplanationText.lines(explanation).forEach(out::line);
    }
    out.flush();
    return explanation.verdict() == Verdict.MATCHES ? 0 : 1;
  }

  private static String json(Explanation explanation) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      ExplanationJson.writeFields(explanation, json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Memory never throws.
    }
    return text.toString();
  }
}

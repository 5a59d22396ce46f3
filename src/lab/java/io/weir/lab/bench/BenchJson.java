package io.weir.lab.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results as one JSON object: every figure of every run, and the ratios. */
public final class BenchJson {
  private static final JsonFactory JSON = new JsonFactory();

  private BenchJson() {}

  /** Writes the object; the writer stays the caller's to close. */
  public static void write(BenchResults results, Writer writer) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(writer)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      writeMachine(json);
      writePlan(results.plan(), json);
      writeLoads(results.loads(), json);
      writeResults(results, json);
      writeRatios(results, json);
      json.writeEndObject();
    }
  }

  private static void writeMachine(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("machine");
    json.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
    json.writeStringField("java", System.getProperty("java.vm.version"));
    json.writeStringField(
        "system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    json.writeEndObject();
  }

  private static void writePlan(BenchPlan plan, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("plan");
    json.writeNumberField("rounds", plan.scale().rounds());
    json.writeNumberField("weir_threads", plan.threads());
    if (plan.fleet().isPresent()) {
      Fleet fleet = plan.fleet().get();
      json.writeObjectFieldStart("fleet");
      json.writeNumberField("sensors", fleet.sensors());
      json.writeNumberField("period_ms", fleet.period().toMillis());
      json.writeNumberField("duration_ms", fleet.duration().toMillis());
      json.writeNumberField("gateways", fleet.gateways());
      json.writeNumberField("flush_interval_ms", fleet.flushInterval().toMillis());
      json.writeStringField("form", fleet.form().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void writeLoads(List<LoadedTopic> loads, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("loads");
    for (LoadedTopic topic : loads) {
      json.writeStartObject();
      json.writeStringField("name", topic.load().name());
      json.writeNumberField("sensors", topic.load().shape().sensors());
      json.writeNumberField("readings", topic.readings());
      json.writeNumberField("warm_up_percent", topic.load().shape().warmUpPercent());
      json.writeNumberField("batches", topic.batches());
      json.writeNumberField("topic_bytes_per_reading", topic.bytesPerReading());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeResults(BenchResults results, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("results");
    for (Map.Entry<Cell, List<Figures>> cell : results.all().entrySet()) {
      json.writeStartObject();
      json.writeStringField("group", cell.getKey().group());
      json.writeStringField("subject", cell.getKey().subject().key());
      for (Figure figure : Figure.values()) {
        double[] rounds =
            cell.getValue().stream().flatMapToDouble(r -> r.get(figure).stream()).toArray();
        if (rounds.length > 0) {
          json.writeObjectFieldStart(figure.key());
          writeSpread(Spread.of(rounds), json);
          json.writeFieldName("rounds");
          json.writeArray(rounds, 0, rounds.length);
          json.writeEndObject();
        }
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeSpread(Spread spread, JsonGenerator json) throws IOException {
    json.writeNumberField("median", spread.median());
    json.writeNumberField("least", spread.least());
    json.writeNumberField("most", spread.most());
  }

  private static void writeRatios(BenchResults results, JsonGenerator json) throws IOException {
    Map<String, Spread> ratios = Ratios.of(results);
    json.writeObjectFieldStart("ratios");
    for (Map.Entry<String, Spread> ratio : ratios.entrySet()) {
      json.writeNumberField(ratio.getKey(), ratio.getValue().median());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("ratio_spreads");
    for (Map.Entry<String, Spread> ratio : ratios.entrySet()) {
      json.writeObjectFieldStart(ratio.getKey());
      writeSpread(ratio.getValue(), json);
      json.writeEndObject();
    }
    json.writeEndObject();
  }
}

package io.weir.internal.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.explain.Explanation.Row;
import io.weir.internal.json.MessageJson;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** An explanation as JSON; summaries and readings as {@code weir tail} writes them. */
public final class ExplanationJson {
  private ExplanationJson() {}

  /** Writes the fields into the object that is open. */
  public static void writeFields(Explanation of, JsonGenerator json) throws IOException {
    json.writeStringField("sensor_id", of.sensorId());
    json.writeNumberField("window_start_ms", of.startMs());
    json.writeNumberField("window_end_ms", of.endMs());
    json.writeStringField("topic", of.topic());
    json.writeNumberField("partition", of.partition());
    json.writeStringField("verdict", of.verdict().text());
    json.writeStringField("detail", of.detail());
    MessageJson.writeObjects("batches", of.rows(), ExplanationJson::writeFields, json);
    MessageJson.writeObjects(
        "emissions",
        of.emissions(),
        (emission, to) -> {
          to.writeNumberField("offset", emission.offset());
          to.writeNumberField("append_ms", emission.appendMs());
          MessageJson.writeFields(emission.summary(), to);
        },
        json);
    json.writeObjectFieldStart("recomputed");
    MessageJson.writeFields(of.recomputed(), json);
    json.writeEndObject();
    json.writeArrayFieldStart("notes");
    for (String note : of.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("scanned");
    json.writeNumberField("from_offset", of.scan().fromOffset());
    json.writeNumberField("records", of.scan().records());
    json.writeNumberField("bytes", of.scan().bytes());
    json.writeEndObject();
  }

  /** The same of one batch. */
  public static void writeFields(Row row, JsonGenerator json) throws IOException {
    json.writeNumberField("offset", row.offset());
    json.writeNumberField("append_ms", row.appendMs());
    json.writeStringField("gateway_id", row.gatewayId());
    json.writeStringField("boot_id_text", Long.toUnsignedString(row.bootId()));
    json.writeNumberField("sequence", row.sequence());
    json.writeStringField("fate", row.fate().name().toLowerCase(Locale.ROOT));
    json.writeStringField("verdict", ExplanationText.verdict(row));
    json.writeStringField("reason", row.reason());
    place("at", row.at(), json);
    place("redrive_of", row.redriveOf(), json);
    json.writeStringField("source", row.source());
    json.writeNumberField("count", row.count());
    MessageJson.writeObjects("readings", row.readings(), MessageJson::writeFields, json);
  }

  private static void place(String name, Optional<Origin> of, JsonGenerator json)
      throws IOException {
    if (of.isEmpty()) {
      json.writeNullField(name);
      return;
    }
    json.writeObjectFieldStart(name);
    json.writeStringField("topic", of.get().topic());
    json.writeNumberField("partition", of.get().partition());
    json.writeNumberField("offset", of.get().offset());
    json.writeEndObject();
  }
}

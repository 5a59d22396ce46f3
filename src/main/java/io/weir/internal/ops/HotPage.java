package io.weir.internal.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.internal.hot.HeavyHitter;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.text.Printable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The sensors and gateways with the most readings in the last full minute of each partition of this
 * process, as JSON: {@code
 * {"partitions":[{"partition","end_ms","total","share","sensors":[{"id","readings","share"}],
 * "gateway_total","gateways":[{"id","readings","share"}]}]}}. Shares are of the partition, from 0
 * to 1; {@code share} is that of the heaviest sensor.
 */
public record HotPage(HotBoard board) implements Page {
  public static final String PATH = "/hot";

  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public Reply.Text reply(PageRequest request) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("partitions");
      for (HotMinute minute : board.minutes()) {
        write(minute, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Reply.Text(200, "application/json", Printable.line(text.toString()) + "\n");
  }

  private static void write(HotMinute minute, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("partition", minute.partition());
    json.writeNumberField("end_ms", minute.endMs());
    json.writeNumberField("total", minute.readings());
    json.writeNumberField("share", minute.share());
    write("sensors", minute.sensors(), minute.readings(), json);
    json.writeNumberField("gateway_total", minute.gatewayReadings());
    write("gateways", minute.gateways(), minute.gatewayReadings(), json);
    json.writeEndObject();
  }

  private static void write(String name, List<HeavyHitter> heaviest, long total, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (HeavyHitter heavy : heaviest) {
      json.writeStartObject();
      json.writeStringField("id", heavy.id());
      json.writeNumberField("readings", heavy.readings());
      json.writeNumberField("share", HotMinute.share(heavy.readings(), total));
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}

package io.weir.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.internal.wire.Protobuf;
import io.weir.v1.WindowSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Keys and values of the topics with the last summary of each window, in JSON without blanks. Keys
 * have these members in this order, so that equal windows have equal bytes; values are the object
 * of {@code weir tail windows} without topic, partition and offset.
 */
public final class SummaryJson {
  private static final JsonFactory JSON = new JsonFactory();

  private SummaryJson() {}

  @FunctionalInterface
  private interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * The key of a window.
   *
   * @param sensorId UTF-8
   */
  public static byte[] key(byte[] sensorId, long startMs, long endMs) {
    return object(
        json -> {
          json.writeStringField("sensor_id", new String(sensorId, StandardCharsets.UTF_8));
          json.writeNumberField("window_start_ms", startMs);
          json.writeNumberField("window_end_ms", endMs);
        });
  }

  /** The value of a {@code weir.v1.WindowSummary}. */
  public static byte[] value(byte[] summary) {
    WindowSummary window = Protobuf.own(WindowSummary.getDefaultInstance(), summary);
    return object(json -> MessageJson.writeFields(window, Optional.empty(), json));
  }

  /** Whether a value is JSON: a summary in protobuf, framed or bare, begins with another byte. */
  static boolean is(byte[] value) {
    if (value.length == 0 || value[0] != '{') {
      return false;
    }
    try (JsonParser tokens = JSON.createParser(value)) {
      tokens.nextToken();
      tokens.skipChildren();
      return tokens.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes the members of a value into the object that is open. */
  static void copyMembers(byte[] value, JsonGenerator json) throws IOException {
    try (JsonParser members = JSON.createParser(value)) {
      members.nextToken();
      while (members.nextToken() == JsonToken.FIELD_NAME) {
        json.copyCurrentStructure(members);
      }
    }
  }

  private static byte[] object(Members members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // An array never throws.
    }
    return bytes.toByteArray();
  }
}

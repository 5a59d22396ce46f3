package io.weir.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.io.IOException;

/**
 * An event as a line of JSON: an object with the field names of {@code weir.v1.Event}, {@code
 * fields} an object of plain values. A number without fraction and exponent that fits into 64 bits
 * is an int64, another one a double; the texts "NaN", "Infinity" and "-Infinity" are texts.
 * Stateless.
 */
public final class EventText {
  private static final JsonFactory JSON = new JsonFactory();

  private EventText() {}

  /**
   * Reads a line.
   *
   * @throws IOException if it is no such object; the message says what is wrong, in a few words
   */
  public static Event parse(byte[] line) throws IOException {
    try (JsonParser json = JSON.createParser(line)) {
      require(json.nextToken() == JsonToken.START_OBJECT, "not a JSON object");
      Event.Builder event = Event.newBuilder();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        read(name, value, json, event);
      }
      require(json.nextToken() == null, "something behind the object");
      return event.build();
    }
  }

  private static void read(String name, JsonToken value, JsonParser json, Event.Builder event)
      throws IOException {
    switch (name) {
      case "key" -> event.setKey(text(name, value, json));
      case "subject" -> event.setSubject(text(name, value, json));
      case "type" -> event.setType(text(name, value, json));
      case "id" -> event.setId(text(name, value, json));
      case "timestamp_ms" -> event.setTimestampMs(integer(name, value, json));
      case "due_ms" -> event.setDueMs(integer(name, value, json));
      case "every_ms" -> event.setEveryMs(integer(name, value, json));
      case "missed" -> event.setMissed(integer(name, value, json));
      case "cancel" -> event.setCancel(flag(name, value));
      case "start" -> event.setStart(flag(name, value));
      case "fields" -> {
        require(value == JsonToken.START_OBJECT, "fields is no object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String field = text(json.currentName());
          require(!event.containsFields(field), "field " + field + " twice");
          event.putFields(field, value(field, json.nextToken(), json));
        }
      }
      default -> throw new IOException("no such field: " + name);
    }
  }

  private static String text(String name, JsonToken value, JsonParser json) throws IOException {
    require(value == JsonToken.VALUE_STRING, name + " is no text");
    return text(json.getText());
  }

  /** UTF-8 cannot write half a surrogate pair: it would become another text, the same for all. */
  private static String text(String text) throws IOException {
    require(!Utf8.hasLoneSurrogate(text), "half a surrogate pair");
    return text;
  }

  private static long integer(String name, JsonToken value, JsonParser json) throws IOException {
    require(value == JsonToken.VALUE_NUMBER_INT, name + " is no whole number");
    return json.getLongValue();
  }

  private static boolean flag(String name, JsonToken value) throws IOException {
    require(
        value == JsonToken.VALUE_TRUE || value == JsonToken.VALUE_FALSE,
        name + " is neither true nor false");
    return value == JsonToken.VALUE_TRUE;
  }

  private static Value value(String field, JsonToken token, JsonParser json) throws IOException {
    Value.Builder value = Value.newBuilder();
    switch (token) {
      case VALUE_STRING -> value.setStringValue(text(json.getText()));
      case VALUE_TRUE, VALUE_FALSE -> value.setBoolValue(token == JsonToken.VALUE_TRUE);
      case VALUE_NULL -> value.setNullValue(true);
      case VALUE_NUMBER_INT -> {
        if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          value.setDoubleValue(json.getDoubleValue());
        } else {
          value.setInt64Value(json.getLongValue());
        }
      }
      case VALUE_NUMBER_FLOAT -> value.setDoubleValue(json.getDoubleValue());
      default -> throw new IOException("field " + field + " is no plain value");
    }
    return value.build();
  }

  private static void require(boolean condition, String what) throws IOException {
    if (!condition) {
      throw new IOException(what);
    }
  }
}

package io.weir.internal.input.mqtt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value: a map, a list, a text, a Long, a Double, a Boolean or null. Integers of
 * more than 64 bits are Doubles. A name that comes twice in an object is an error.
 */
public final class JsonMessage {
  private static final int MOST_DEPTH = 32;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
          .build();

  private JsonMessage() {}

  public static Object read(byte[] body) throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      json.nextToken();
      Object value = value(json);
      if (json.nextToken() != null) {
        throw new JsonParseException(json, "something follows the value");
      }
      return value;
    }
  }

  private static Object value(JsonParser json) throws IOException {
    if (json.currentToken() == null) {
      throw new JsonParseException(json, "the value ends early");
    }
    return switch (json.currentToken()) {
      case START_OBJECT -> object(json);
      case START_ARRAY -> array(json);
      case VALUE_NUMBER_INT ->
          json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? (Object) json.getDoubleValue()
              : (Object) json.getLongValue();
      case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case VALUE_NULL -> null;
      default -> json.getText();
    };
  }

  private static Map<String, Object> object(JsonParser json) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      fields.put(name, value(json));
    }
    return fields;
  }

  private static List<Object> array(JsonParser json) throws IOException {
    List<Object> elements = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(json));
    }
    return elements;
  }
}

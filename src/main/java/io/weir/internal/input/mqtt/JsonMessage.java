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
 * more than 64 bits are Doubles. A name that comes twice in an object is an error. One thread.
 */
public final class JsonMessage {
  private static final int MOST_DEPTH = 32;

  /** A value of three bytes takes up to 200 bytes of memory. */
  private static final int MOST_VALUES = 250_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
          .build();

  private final JsonParser json;
  private int values;

  private JsonMessage(JsonParser json) {
    this.json = json;
  }

  /** There are more values than memory is spent on. */
  static final class TooManyException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  public static Object read(byte[] body) throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      json.nextToken();
      Object value = new JsonMessage(json).value();
      if (json.nextToken() != null) {
        throw new JsonParseException(json, "something follows the value");
      }
      return value;
    }
  }

  private Object value() throws IOException {
    if (++values > MOST_VALUES) {
      throw new TooManyException();
    }
    if (json.currentToken() == null) {
      throw new JsonParseException(json, "the value ends early");
    }
    return switch (json.currentToken()) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
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

  private Map<String, Object> object() throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      fields.put(name, value());
    }
    return fields;
  }

  private List<Object> array() throws IOException {
    List<Object> elements = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value());
    }
    return elements;
  }
}

package io.weir.cli.pages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small JSON document in memory: objects as maps, arrays as lists, numbers, strings, booleans,
 * null. A missing value, or one of another type, reads as empty or 0. Immutable.
 */
public final class JsonTree {
  private static final JsonFactory JSON = new JsonFactory();

  private final Object node;

  private JsonTree(Object node) {
    this.node = node;
  }

  /**
   * Reads a document.
   *
   * @throws IOException if it is not JSON, or nested too deep
   */
  public static JsonTree parse(String text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      return new JsonTree(read(parser));
    }
  }

  private static Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("incomplete JSON");
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          object.put(name, read(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(read(parser));
        }
        yield array;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  /** The value of a field of this object. */
  public JsonTree at(String field) {
    return new JsonTree(node instanceof Map<?, ?> object ? object.get(field) : null);
  }

  /** The elements of this array. */
  public List<JsonTree> elements() {
    return node instanceof List<?> array ? array.stream().map(JsonTree::new).toList() : List.of();
  }

  public boolean isThere() {
    return node != null;
  }

  public double number() {
    return node instanceof Number number ? number.doubleValue() : 0;
  }

  public long integer() {
    return node instanceof Number number ? number.longValue() : 0;
  }

  public String text() {
    return node == null ? "" : node.toString();
  }
}

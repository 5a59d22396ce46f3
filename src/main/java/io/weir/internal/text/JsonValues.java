package io.weir.internal.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.internal.text.mapping.JsonPath;
import io.weir.internal.text.mapping.JsonRepair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small JSON value as maps, lists, texts and numbers. A number keeps its own text, so that it is
 * read as exactly as any other; null is as good as not there. Values that were decoded from another
 * form may have times too.
 */
public final class JsonValues {
  /** A number, as it was written; true and false are 1 and 0. */
  public record Literal(String text) {}

  private JsonValues() {}

  /**
   * Reads the value of a line: as JSON or, where it is none, as what others write in its place.
   *
   * @throws IOException where it is neither
   */
  public static Object read(byte[] line, int start, int end) throws IOException {
    try {
      return whole(line, start, end);
    } catch (IOException notJson) {
      byte[] repaired = JsonRepair.repaired(line, start, end);
      return whole(repaired, 0, repaired.length);
    }
  }

  private static Object whole(byte[] line, int start, int end) throws IOException {
    try (JsonParser parser = JsonSplitter.FACTORY.createParser(line, start, end - start)) {
      parser.nextToken();
      Object value = read(parser);
      if (parser.nextToken() != null) {
        throw new IOException("more than a value");
      }
      return value;
    }
  }

  /**
   * Reads the value that begins at the parser's current token.
   *
   * @throws IOException where it is no JSON, or an object has a member twice
   */
  static Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("no value");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Literal(parser.getText());
      case VALUE_TRUE -> new Literal("1");
      case VALUE_FALSE -> new Literal("0");
      case VALUE_NULL -> null;
      default -> throw new IOException("no value");
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (members.containsKey(name)) {
        throw new IOException("a member twice");
      }
      members.put(name, read(parser));
    }
    return members;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(read(parser));
    }
    return elements;
  }

  /** What a step leads to, or null. */
  static Object at(Object from, JsonPath.Step step) {
    if (step.name() != null) {
      return from instanceof Map<?, ?> members ? members.get(step.name()) : null;
    }
    boolean there = from instanceof List<?> elements && step.index() < elements.size();
    return there ? ((List<?>) from).get(step.index()) : null;
  }

  /** The text or number at a path of a JSON value; empty where there is none. */
  public static String textAt(byte[] json, JsonPath path) {
    try {
      Object found = json == null ? null : at(whole(json, 0, json.length), path.steps());
      return found instanceof Literal number
          ? number.text()
          : found instanceof String text && !Utf8.hasLoneSurrogate(text) ? text : "";
    } catch (IOException notJson) {
      return "";
    }
  }

  /** What steps that are one each lead to, or null. */
  static Object at(Object from, List<JsonPath.Step> steps) {
    Object at = from;
    for (JsonPath.Step step : steps) {
      at = step.isAll() ? null : at(at, step);
    }
    return at;
  }
}

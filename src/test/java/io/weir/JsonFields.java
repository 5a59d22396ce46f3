package io.weir;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON text as pointers and what is there: {@code /labels/0} is the first of the labels. */
public final class JsonFields {
  private JsonFields() {}

  /** All numbers, strings, booleans and nulls, as text, by their pointers. */
  public static Map<String, String> of(String json) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue()) {
          fields.put(parser.getParsingContext().pathAsPointer().toString(), parser.getText());
        }
      }
    }
    return fields;
  }
}

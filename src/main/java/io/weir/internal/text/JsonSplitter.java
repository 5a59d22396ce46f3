package io.weir.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.weir.internal.text.mapping.JsonRepair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One JSON object on a line. Names that are not known are passed over, a known one that comes twice
 * spoils the line, null is as good as absent. The sensor id is a string; timestamp and value are
 * handed on as the numbers' own text, and what is no number as a text that is none either.
 */
final class JsonSplitter implements LineSplitter {
  private static final int UNKNOWN = -1;

  /**
   * The line's length is bounded already. Encodings are not guessed: a text with NUL bytes would be
   * taken for UTF-16. Hostile names must not end the run, so a crowded symbol table is no error.
   */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    LineReason reason = splitJson(line, start, end, fields);
    if (reason != LineReason.MALFORMED_LINE) {
      return reason;
    }
    byte[] repaired = JsonRepair.repaired(line, start, end);
    if (Arrays.equals(repaired, 0, repaired.length, line, start, end)) {
      return reason;
    }
    fields.clear(Math.max(repaired.length, end - start));
    return splitJson(repaired, 0, repaired.length, fields);
  }

  private static LineReason splitJson(byte[] line, int start, int end, LineFields fields) {
    try (JsonParser parser = FACTORY.createParser(line, start, end - start)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return LineReason.MALFORMED_LINE;
      }
      LineReason reason = members(parser, fields);
      if (reason == LineReason.MALFORMED_LINE) {
        return reason;
      }
      return parser.nextToken() == null ? reason : LineReason.MALFORMED_LINE;
    } catch (IOException notJson) {
      return LineReason.MALFORMED_LINE;
    }
  }

  private static LineReason members(JsonParser parser, LineFields fields) throws IOException {
    LineReason reason = null;
    int seen = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      int field = fieldOf(parser.currentName());
      JsonToken token = parser.nextToken();
      if (field == UNKNOWN) {
        parser.skipChildren();
        continue;
      }
      if ((seen & 1 << field) != 0) {
        return LineReason.MALFORMED_LINE;
      }
      seen |= 1 << field;
      LineReason ofField = member(field, token, parser, fields);
      reason = reason == null ? ofField : reason;
    }
    return reason;
  }

  private static int fieldOf(String name) {
    return switch (name) {
      case "sensor_id" -> LineFields.SENSOR_ID;
      case "timestamp_ms" -> LineFields.TIMESTAMP;
      case "value" -> LineFields.VALUE;
      case "quality" -> LineFields.QUALITY;
      default -> UNKNOWN;
    };
  }

  private static LineReason member(int field, JsonToken token, JsonParser parser, LineFields fields)
      throws IOException {
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    boolean text = token == JsonToken.VALUE_STRING;
    boolean integer = token == JsonToken.VALUE_NUMBER_INT;
    boolean fitting =
        switch (field) {
          case LineFields.SENSOR_ID -> text;
          case LineFields.TIMESTAMP -> integer;
          case LineFields.VALUE -> integer || token == JsonToken.VALUE_NUMBER_FLOAT;
          default -> text || integer;
        };
    if (fitting) {
      return copyText(field, parser, fields);
    }
    parser.skipChildren();
    if (field == LineFields.SENSOR_ID) {
      return LineReason.MALFORMED_LINE;
    }
    fields.begin(field);
    fields.append(field, (byte) '?');
    return null;
  }

  private static LineReason copyText(int field, JsonParser parser, LineFields fields)
      throws IOException {
    char[] chars = parser.getTextCharacters();
    int from = parser.getTextOffset();
    int to = from + parser.getTextLength();
    fields.begin(field);
    for (int i = from; i < to; i++) {
      if (chars[i] >= 0x80) {
        return copyBeyondAscii(field, new String(chars, from, to - from), fields);
      }
      fields.append(field, (byte) chars[i]);
    }
    return null;
  }

  private static LineReason copyBeyondAscii(int field, String text, LineFields fields) {
    if (Utf8.hasLoneSurrogate(text)) {
      return LineReason.INVALID_UTF8;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    fields.set(field, utf8, 0, utf8.length);
    return null;
  }
}

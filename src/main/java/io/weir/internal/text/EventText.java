package io.weir.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.weir.internal.event.EventJudge;
import io.weir.internal.text.EventTextException.Reason;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Set;

/**
 * An event as a line of JSON: an object with the field names of {@code weir.v1.Event}, {@code
 * fields} an object of plain values. A number without fraction and exponent that fits into 64 bits
 * is an int64, another one a double; the texts "NaN", "Infinity" and "-Infinity" are texts. What
 * cannot be kept as it is written, is refused. Stateless.
 */
public final class EventText {
  /** So many digits a double keeps, whatever they are. */
  private static final int KEPT_DIGITS = 15;

  /** Objects in an event. */
  private static final int MOST_DEPTH = 2;

  /** A double has up to 309 digits before its point. */
  private static final int MOST_DIGITS = 1_000;

  /** As for readings, with a limit of depth. */
  private static final JsonFactory JSON =
      JsonSplitter.FACTORY
          .rebuild()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private EventText() {}

  /**
   * Reads a line.
   *
   * @throws EventTextException if it is no such object; the message says what is wrong, in a few
   *     words
   */
  public static Event parse(byte[] line) throws EventTextException {
    try {
      return read(line);
    } catch (EventTextException e) {
      throw e;
    } catch (IOException e) {
      throw new EventTextException(Reason.MALFORMED_LINE, firstLine(e));
    }
  }

  private static String firstLine(IOException e) {
    return e.getMessage() == null ? "no JSON" : e.getMessage().lines().findFirst().orElse("");
  }

  private static Event read(byte[] line) throws IOException {
    try (JsonParser json = JSON.createParser(line)) {
      require(json.nextToken() == JsonToken.START_OBJECT, "not a JSON object");
      Event.Builder event = Event.newBuilder();
      Set<String> names = new HashSet<>();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        require(names.add(name), Reason.DUPLICATE_FIELD, name + " twice");
        read(name, value, json, event);
      }
      require(json.nextToken() == null, "something behind the object");
      require(
          event.getEveryMs() == 0 || event.getDueMs() != 0 || event.getCancel(),
          Reason.INVALID_DUE,
          "every_ms without due_ms");
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
      case "expires_ms" -> event.setExpiresMs(integer(name, value, json));
      case "missed" -> event.setMissed(integer(name, value, json));
      case "cancel" -> event.setCancel(flag(name, value));
      case "start" -> event.setStart(flag(name, value));
      case "fields" -> {
        require(value == JsonToken.START_OBJECT, "fields is no object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String field = text(json.currentName());
          require(
              !event.containsFields(field), Reason.DUPLICATE_FIELD, "field " + field + " twice");
          requireRoom(event.getFieldsCount());
          event.putFields(field, value(field, json.nextToken(), json));
        }
      }
      case "field_timestamps_ms" -> {
        require(value == JsonToken.START_OBJECT, "field_timestamps_ms is no object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String field = text(json.currentName());
          require(
              !event.containsFieldTimestampsMs(field),
              Reason.DUPLICATE_FIELD,
              "the time of field " + field + " twice");
          requireRoom(event.getFieldTimestampsMsCount());
          event.putFieldTimestampsMs(
              field, integer("the time of field " + field, json.nextToken(), json));
        }
      }
      default -> throw new EventTextException(Reason.UNKNOWN_FIELD, "no such field: " + name);
    }
  }

  private static void requireRoom(int fields) throws IOException {
    require(fields < EventJudge.MAX_FIELDS, Reason.TOO_MANY_FIELDS, "more than 1,000 fields");
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
    requireShort(name, json);
    require(
        json.getNumberType() != JsonParser.NumberType.BIG_INTEGER,
        Reason.NUMBER_OUT_OF_RANGE,
        name + " has more than 64 bits");
    return json.getLongValue();
  }

  /** Asked before a number is taken for one: that takes time with the square of its digits. */
  private static void requireShort(String name, JsonParser json) throws IOException {
    require(
        json.getTextLength() <= MOST_DIGITS,
        Reason.NUMBER_OUT_OF_RANGE,
        name + " has more than 1,000 characters");
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
        requireShort("field " + field, json);
        if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          value.setDoubleValue(real(field, json));
        } else {
          value.setInt64Value(json.getLongValue());
        }
      }
      case VALUE_NUMBER_FLOAT -> value.setDoubleValue(real(field, json));
      default ->
          throw new EventTextException(
              Reason.MALFORMED_LINE, "field " + field + " is no plain value");
    }
    return value.build();
  }

  /** A double that is what is written, or the nearest to a fraction. */
  private static double real(String field, JsonParser json) throws IOException {
    requireShort("field " + field, json);
    String text = json.getText();
    double real = Double.parseDouble(text);
    boolean isWhole = json.currentToken() == JsonToken.VALUE_NUMBER_INT;
    require(
        Double.isFinite(real)
            && (real != 0 || !hasOtherDigitsThanZero(text))
            && (!isWhole || isKept(new BigDecimal(text), real)),
        Reason.NUMBER_OUT_OF_RANGE,
        "field " + field + (isWhole ? " has more digits than a number keeps" : " is out of range"));
    return real;
  }

  private static boolean isKept(BigDecimal whole, double real) {
    return whole.stripTrailingZeros().precision() <= KEPT_DIGITS
        || new BigDecimal(real).compareTo(whole) == 0;
  }

  private static boolean hasOtherDigitsThanZero(String number) {
    return number.split("[eE]", 2)[0].chars().anyMatch(c -> c >= '1' && c <= '9');
  }

  private static void require(boolean condition, String what) throws EventTextException {
    require(condition, Reason.MALFORMED_LINE, what);
  }

  private static void require(boolean condition, Reason reason, String what)
      throws EventTextException {
    if (!condition) {
      throw new EventTextException(reason, what);
    }
  }
}

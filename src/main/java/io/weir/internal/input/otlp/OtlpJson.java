package io.weir.internal.input.otlp;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.END_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NULL;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.weir.internal.input.http.RefusedRequestException;
import io.weir.internal.text.Utf8;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.function.IntPredicate;

/** Writes an ExportMetricsServiceRequest in JSON as protobuf, as far as it is read. */
final class OtlpJson {
  private static final int MOST_DEPTH = 32;
  private static final int MOST_DIGITS = 64;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
          .build();

  private final JsonParser json;
  private final ProtoWriter out;

  private OtlpJson(JsonParser json, ProtoWriter out) {
    this.json = json;
    this.out = out;
  }

  /** How a member is written. */
  private enum Kind {
    TEXT,
    BASE64,
    BOOL,
    /** Of 64 bits, with or without a sign. */
    INTEGER,
    FIXED_INTEGER,
    DOUBLE,
    MESSAGE
  }

  private record Field(int number, Kind kind, Shape shape) {}

  /** The members of a message by name; filled below, since messages contain each other. */
  private enum Shape {
    REQUEST,
    RESOURCE_METRICS,
    RESOURCE,
    SCOPE_METRICS,
    SCOPE,
    METRIC,
    NUMBERS,
    HISTOGRAMS,
    EXPONENTIALS,
    SUMMARIES,
    NUMBER,
    HISTOGRAM,
    EXPONENTIAL,
    SUMMARY,
    KEY_VALUE,
    ANY_VALUE,
    ARRAY,
    KEY_VALUES;

    private Map<String, Field> fields = Map.of();
  }

  static {
    Field temporality = new Field(2, Kind.INTEGER, null);
    Field time = new Field(3, Kind.FIXED_INTEGER, null);
    Field count = new Field(4, Kind.FIXED_INTEGER, null);
    Field sum = new Field(5, Kind.DOUBLE, null);
    Shape.REQUEST.fields = Map.of("resourceMetrics", message(1, Shape.RESOURCE_METRICS));
    Shape.RESOURCE_METRICS.fields =
        Map.of(
            "resource", message(1, Shape.RESOURCE),
            "scopeMetrics", message(2, Shape.SCOPE_METRICS));
    Shape.RESOURCE.fields = Map.of("attributes", message(1, Shape.KEY_VALUE));
    Shape.SCOPE_METRICS.fields =
        Map.of("scope", message(1, Shape.SCOPE), "metrics", message(2, Shape.METRIC));
    Shape.SCOPE.fields = Map.of("name", new Field(1, Kind.TEXT, null));
    Shape.METRIC.fields =
        Map.of(
            "name", new Field(1, Kind.TEXT, null),
            "unit", new Field(3, Kind.TEXT, null),
            "gauge", message(5, Shape.NUMBERS),
            "sum", message(7, Shape.NUMBERS),
            "histogram", message(9, Shape.HISTOGRAMS),
            "exponentialHistogram", message(10, Shape.EXPONENTIALS),
            "summary", message(11, Shape.SUMMARIES));
    Shape.NUMBERS.fields = Map.of("dataPoints", message(1, Shape.NUMBER));
    Shape.HISTOGRAMS.fields =
        Map.of("dataPoints", message(1, Shape.HISTOGRAM), "aggregationTemporality", temporality);
    Shape.EXPONENTIALS.fields =
        Map.of("dataPoints", message(1, Shape.EXPONENTIAL), "aggregationTemporality", temporality);
    Shape.SUMMARIES.fields = Map.of("dataPoints", message(1, Shape.SUMMARY));
    Shape.NUMBER.fields =
        Map.of(
            "attributes", message(7, Shape.KEY_VALUE),
            "timeUnixNano", time,
            "asDouble", new Field(4, Kind.DOUBLE, null),
            "asInt", new Field(6, Kind.FIXED_INTEGER, null),
            "flags", new Field(8, Kind.INTEGER, null));
    Shape.HISTOGRAM.fields =
        Map.of(
            "attributes",
            message(9, Shape.KEY_VALUE),
            "timeUnixNano",
            time,
            "count",
            count,
            "sum",
            sum,
            "flags",
            new Field(10, Kind.INTEGER, null),
            "min",
            new Field(11, Kind.DOUBLE, null),
            "max",
            new Field(12, Kind.DOUBLE, null));
    Shape.EXPONENTIAL.fields =
        Map.of(
            "attributes",
            message(1, Shape.KEY_VALUE),
            "timeUnixNano",
            time,
            "count",
            count,
            "sum",
            sum,
            "flags",
            new Field(10, Kind.INTEGER, null),
            "min",
            new Field(12, Kind.DOUBLE, null),
            "max",
            new Field(13, Kind.DOUBLE, null));
    Shape.SUMMARY.fields =
        Map.of(
            "attributes", message(7, Shape.KEY_VALUE),
            "timeUnixNano", time,
            "count", count,
            "sum", sum,
            "flags", new Field(8, Kind.INTEGER, null));
    Shape.KEY_VALUE.fields =
        Map.of("key", new Field(1, Kind.TEXT, null), "value", message(2, Shape.ANY_VALUE));
    Shape.ANY_VALUE.fields =
        Map.of(
            "stringValue", new Field(1, Kind.TEXT, null),
            "boolValue", new Field(2, Kind.BOOL, null),
            "intValue", new Field(3, Kind.INTEGER, null),
            "doubleValue", new Field(4, Kind.DOUBLE, null),
            "arrayValue", message(5, Shape.ARRAY),
            "kvlistValue", message(6, Shape.KEY_VALUES),
            "bytesValue", new Field(7, Kind.BASE64, null));
    Shape.ARRAY.fields = Map.of("values", message(1, Shape.ANY_VALUE));
    Shape.KEY_VALUES.fields = Map.of("values", message(1, Shape.KEY_VALUE));
  }

  private static Field message(int number, Shape shape) {
    return new Field(number, Kind.MESSAGE, shape);
  }

  /**
   * Writes a request.
   *
   * @param take asked before more memory is used
   * @throws RefusedRequestException if it is none
   */
  static ProtoWriter protobuf(byte[] body, int length, IntPredicate take) {
    ProtoWriter out = new ProtoWriter(take);
    try (JsonParser json = JSON.createParser(body, 0, length)) {
      require(json.nextToken() == START_OBJECT, "an object");
      new OtlpJson(json, out).members(Shape.REQUEST);
      require(json.nextToken() == null, "one object");
      return out;
    } catch (IOException | IllegalArgumentException | ArithmeticException e) {
      throw new RefusedRequestException(
          "the body is not JSON of OTLP, or is nested deeper than " + MOST_DEPTH);
    }
  }

  private void members(Shape shape) throws IOException {
    while (json.nextToken() != END_OBJECT) {
      Field field = shape.fields.get(json.currentName());
      JsonToken value = json.nextToken();
      if (field == null) {
        json.skipChildren();
      } else if (value == START_ARRAY) {
        while (json.nextToken() != END_ARRAY) {
          value(field);
        }
      } else if (value != VALUE_NULL) {
        value(field);
      }
    }
  }

  private void value(Field field) throws IOException {
    if (field.kind() == Kind.MESSAGE) {
      require(json.currentToken() == START_OBJECT, "an object");
      int place = out.begin(field.number());
      members(field.shape());
      out.end(place);
      return;
    }
    require(json.currentToken().isScalarValue(), "a value");
    switch (field.kind()) {
      case TEXT -> {
        require(json.currentToken() == JsonToken.VALUE_STRING, "a text");
        require(!Utf8.hasLoneSurrogate(json.getText()), "a text");
        out.text(field.number(), json.getText());
      }
      case BASE64 -> out.delimited(field.number(), json.getBinaryValue());
      case BOOL -> out.varint(field.number(), json.getBooleanValue() ? 1 : 0);
      case INTEGER -> out.varint(field.number(), integer(json.getText()));
      case FIXED_INTEGER -> out.fixed64(field.number(), integer(json.getText()));
      default ->
          out.fixed64(
              field.number(), Double.doubleToRawLongBits(Double.parseDouble(json.getText())));
    }
  }

  private static long integer(String text) {
    require(text.length() <= MOST_DIGITS, "a number");
    BigDecimal number = new BigDecimal(text);
    require(Math.abs((long) number.scale()) <= MOST_DIGITS, "a number");
    return number.signum() > 0
        ? Long.parseUnsignedLong(number.toBigIntegerExact().toString())
        : number.longValueExact();
  }

  private static void require(boolean holds, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(expected);
    }
  }
}

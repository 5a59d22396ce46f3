package io.weir.internal.input.influx;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.Client;
import io.weir.internal.input.Clients;
import io.weir.internal.input.Sensor;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.text.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Makes the sensor of a field of a line by the template. Thread-safe. */
final class LineSensors {
  private static final String INVALID_UTF8 = "INVALID_UTF8";
  private static final String MALFORMED_LINE = "MALFORMED_LINE";
  private static final int MOST_TAGS = 256;
  private static final int HASH_DIGITS = 16;

  private final SensorTemplate template;
  private final LineMessages.Parts parts;

  LineSensors(SensorTemplate template) {
    this(template, (database, name, argument) -> null);
  }

  LineSensors(SensorTemplate template, LineMessages.Parts parts) {
    this.template = template;
    this.parts = parts;
  }

  /** A line has no sensor; the message is the reason. */
  static final class NoSensorException extends Exception {
    private static final long serialVersionUID = 1L;

    NoSensorException(String reason) {
      super(reason, null, false, false);
    }
  }

  Sensor make(LineParser line, int field, LineSource source) throws NoSensorException {
    if (!Utf8.isValid(line.body(), line.measurementFrom(), line.seriesTo())
        || !Utf8.isValid(line.body(), line.keyFrom(field), line.keyTo(field))) {
      throw new NoSensorException(INVALID_UTF8);
    }
    String series = series(line);
    String key = unescaped(line.body(), line.keyFrom(field), line.keyTo(field), ", =");
    Client client = source.client();
    String id =
        client
            .template()
            .orElse(template)
            .id((name, argument) -> part(line, series, key, source, name, argument));
    byte[] utf8 = id.getBytes(UTF_8);
    if (!id.isEmpty() && !client.mayWrite(id)) {
      throw new NoSensorException("NOT_ITS_SENSOR");
    }
    return Sensor.of(id, utf8, series + " " + key);
  }

  private String part(
      LineParser line,
      String series,
      String field,
      LineSource source,
      String name,
      String argument) {
    return switch (name) {
      case "client" -> source.client().name();
      case "hash" -> Clients.hash(series).substring(0, HASH_DIGITS);
      case "series" -> series;
      case "measurement" ->
          unescaped(line.body(), line.measurementFrom(), line.measurementTo(), ", ");
      case "field", "column" -> field;
      case "db" -> source.database();
      case "rp" -> source.retentionPolicy();
      case "tag" -> tag(line, argument);
      default -> parts.value(source.database(), name, argument);
    };
  }

  private static String tag(LineParser line, String name) {
    for (int tag = 0; tag < line.tags(); tag++) {
      if (unescaped(line.body(), line.tagKeyFrom(tag), line.tagKeyTo(tag), ", =").equals(name)) {
        return unescaped(line.body(), line.tagValueFrom(tag), line.tagValueTo(tag), ", =");
      }
    }
    return null;
  }

  /** Measurement and tags, sorted by key, as they are escaped in the line. */
  private static String series(LineParser line) throws NoSensorException {
    int tags = line.tags();
    if (tags > MOST_TAGS) {
      throw new NoSensorException(MALFORMED_LINE);
    }
    Integer[] order = new Integer[tags];
    Arrays.setAll(order, tag -> tag);
    Arrays.sort(order, (a, b) -> compareKeys(line, a, b));
    ByteArrayOutputStream series = new ByteArrayOutputStream();
    series.write(
        line.body(), line.measurementFrom(), line.measurementTo() - line.measurementFrom());
    for (int i = 0; i < tags; i++) {
      if (i > 0 && compareKeys(line, order[i - 1], order[i]) == 0) {
        throw new NoSensorException(MALFORMED_LINE);
      }
      int from = line.tagKeyFrom(order[i]);
      series.write(',');
      series.write(line.body(), from, line.tagValueTo(order[i]) - from);
    }
    return series.toString(UTF_8);
  }

  private static int compareKeys(LineParser line, int a, int b) {
    return Arrays.compareUnsigned(
        line.body(),
        line.tagKeyFrom(a),
        line.tagKeyTo(a),
        line.body(),
        line.tagKeyFrom(b),
        line.tagKeyTo(b));
  }

  private static String unescaped(byte[] bytes, int from, int to, String special) {
    ByteArrayOutputStream text = new ByteArrayOutputStream(to - from);
    for (int i = from; i < to; i++) {
      boolean escapes = bytes[i] == '\\' && i + 1 < to && special.indexOf(bytes[i + 1]) >= 0;
      if (!escapes) {
        text.write(bytes[i]);
      }
    }
    return text.toString(UTF_8);
  }
}

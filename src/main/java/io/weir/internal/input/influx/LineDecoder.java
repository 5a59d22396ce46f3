package io.weir.internal.input.influx;

import io.weir.internal.input.Delivery;
import io.weir.internal.input.Outcome;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.Sensor;
import io.weir.internal.text.IntegerText;
import io.weir.reading.Quality;
import java.util.Arrays;

/**
 * Offers the readings of a body in line protocol: one for each field that is a number or a boolean.
 * A line of strings alone is skipped; of a field that comes twice, the last counts. Not
 * thread-safe.
 */
final class LineDecoder {
  private static final int MOST_LINE_BYTES = 1024 * 1024;

  /** Of the names of all sensors of a line: each field repeats measurement and tags. */
  private static final long MOST_NAME_BYTES = 16L * 1024 * 1024;

  private final LineSensors sensors;
  private final SensorCache cache;
  private final LineSource source;
  private final Precision precision;
  private final long arrivalMs;
  private final int arrivalNanosOfMs;
  private final boolean takesArrival;
  private final Delivery delivery;
  private final Rejects rejects;
  private final LineReport report = new LineReport();
  private final LineParser line = new LineParser();
  private final FieldValue value = new FieldValue();
  private final IntegerText integer = new IntegerText();
  private boolean[] repeated = new boolean[16];
  private int[] places = new int[64];
  private int lineNo;
  private boolean refused;

  /**
   * A decoder of one body.
   *
   * @param arrivalNanos the time of lines without one, in ns since 1970; -1 if they are refused
   */
  LineDecoder(
      LineSensors sensors,
      SensorCache cache,
      LineSource source,
      Precision precision,
      long arrivalNanos,
      Delivery delivery,
      Rejects rejects) {
    this.sensors = sensors;
    this.cache = cache;
    this.source = source;
    this.precision = precision;
    this.takesArrival = arrivalNanos >= 0;
    this.arrivalMs = Precision.NS.millis(arrivalNanos);
    this.arrivalNanosOfMs = Precision.NS.nanosOfMs(arrivalNanos);
    this.delivery = delivery;
    this.rejects = rejects;
  }

  /** Decodes; ends early if the delivery fails. */
  LineReport decode(byte[] body, int length) {
    int at = 0;
    lineNo = 1;
    while (at < length && !delivery.hasFailed()) {
      byte b = body[at];
      if (b == '\n') {
        lineNo++;
        at++;
      } else if (b == ' ' || b == '\t' || b == '\r') {
        at++;
      } else if (b == '#') {
        at = endOfComment(body, at, length);
      } else {
        at = decodeLine(body, at, length);
      }
    }
    return report;
  }

  private static int endOfComment(byte[] body, int from, int length) {
    int at = from;
    while (at < length && body[at] != '\n') {
      at++;
    }
    return at;
  }

  private int decodeLine(byte[] body, int from, int length) {
    boolean parsed = line.parse(body, from, length);
    report.line();
    refused = false;
    if (line.next() - from > MOST_LINE_BYTES) {
      refuse("LINE_TOO_LONG", from);
    } else if (!parsed) {
      refuse("MALFORMED_LINE", from);
    } else if ((long) (line.seriesTo() - line.measurementFrom()) * line.fields()
        > MOST_NAME_BYTES) {
      refuse("LINE_TOO_LONG", from);
    } else {
      offer(from);
    }
    lineNo += line.breaks();
    return line.next();
  }

  private void offer(int from) {
    long timestampMs = arrivalMs;
    int nanosOfMs = arrivalNanosOfMs;
    boolean hasTime = line.timestampFrom() < line.timestampTo();
    if (hasTime) {
      if (!integer.read(line.body(), line.timestampFrom(), line.timestampTo())) {
        refuse("BAD_TIMESTAMP", from);
        return;
      }
      try {
        timestampMs = precision.millis(integer.value());
        nanosOfMs = precision.nanosOfMs(integer.value());
      } catch (ArithmeticException e) {
        refuse("BAD_TIMESTAMP", from);
        return;
      }
    } else if (!takesArrival) {
      refuse("MISSING_TIMESTAMP", from);
      return;
    }
    markRepeated();
    long seriesHash = SensorCache.hash(line.body(), line.measurementFrom(), line.seriesTo());
    int numbers = 0;
    for (int field = 0; field < line.fields() && !delivery.hasFailed(); field++) {
      boolean string = line.body()[line.valueFrom(field)] == '"';
      if (!string && !repeated[field]) {
        numbers++;
        offer(field, seriesHash, timestampMs, nanosOfMs, from);
        if (!hasTime) {
          report.withoutTime();
        }
      }
    }
    if (numbers == 0) {
      report.skipped();
    }
  }

  private void offer(int field, long seriesHash, long timestampMs, int nanosOfMs, int from) {
    if (!value.read(line.body(), line.valueFrom(field), line.valueTo(field))) {
      refuse("NON_NUMERIC", from);
      return;
    }
    try {
      Sensor sensor = cache.find(line, field, seriesHash, source);
      if (sensor == null) {
        if (delivery.isLate()) {
          return;
        }
        sensor = sensors.make(line, field, source);
        cache.put(line, field, seriesHash, source, sensor);
      }
      Outcome outcome = delivery.offer(sensor, timestampMs, nanosOfMs, value.value(), Quality.GOOD);
      outcome.refusal().ifPresent(reason -> refuse(reason, from));
    } catch (LineSensors.NoSensorException e) {
      refuse(e.getMessage(), from);
    }
  }

  private void refuse(String reason, int from) {
    report.refused(lineNo, reason, !refused);
    if (!refused) {
      rejects.add("influx", source.client().name(), reason, line.body(), from, endOf(from));
    }
    refused = true;
  }

  /** The end of the line without its line break. */
  private int endOf(int from) {
    int end = Math.min(line.next(), from + MOST_LINE_BYTES);
    while (end > from && (line.body()[end - 1] == '\n' || line.body()[end - 1] == '\r')) {
      end--;
    }
    return end;
  }

  /** Marks each field that comes again behind it. */
  private void markRepeated() {
    int fields = line.fields();
    if (repeated.length < fields) {
      repeated = new boolean[2 * fields];
      places = new int[Integer.highestOneBit(fields) * 8];
    }
    Arrays.fill(repeated, 0, fields, false);
    if (fields == 1) {
      return;
    }
    int used = Math.max(16, Integer.highestOneBit(fields) * 4);
    Arrays.fill(places, 0, used, 0);
    for (int field = fields - 1; field >= 0; field--) {
      int place = placeOf(field, used - 1);
      repeated[field] = places[place] != 0;
      places[place] = field + 1;
    }
  }

  /** The place of an equal key, or a free one. */
  private int placeOf(int field, int mask) {
    long hash = SensorCache.hash(line.body(), line.keyFrom(field), line.keyTo(field));
    int place = (int) (hash ^ hash >>> 32) & mask;
    while (places[place] != 0 && !sameKey(places[place] - 1, field)) {
      place = place + 1 & mask;
    }
    return place;
  }

  private boolean sameKey(int a, int b) {
    return Arrays.equals(
        line.body(), line.keyFrom(a), line.keyTo(a), line.body(), line.keyFrom(b), line.keyTo(b));
  }
}

package io.weir.internal.input.otlp;

import static io.weir.internal.input.otlp.Attributes.tag;

import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.Outcome;
import io.weir.internal.input.Sensor;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.otlp.OtlpReport.Skip;
import io.weir.internal.wire.FieldReader;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Quality;

/**
 * Reads an ExportMetricsServiceRequest and offers its points. The first pass offers nothing, so
 * that a damaged body offers nothing. Not thread-safe.
 */
final class OtlpDecoder {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int DELIMITED = 2;
  private static final long NANOS_OF_MS = 1_000_000;
  private static final int DELTA = 1;
  private static final int NO_RECORDED_VALUE = 1;
  private static final int NO_FIELD = -1;

  private final OtlpSettings settings;
  private final Delivery delivery;
  private final PointLabels labels;
  private final byte[] body;
  private final int length;
  private final FieldReader in = new FieldReader();
  private final OtlpReport report = new OtlpReport();
  private boolean offering;
  private int metricNo;
  private boolean delta;

  // The point that is being read.
  private long timeNanos;
  private long count;
  private double value;
  private double min;
  private double max;
  private boolean hasValue;
  private boolean hasMin;
  private boolean hasMax;
  private long flags;

  OtlpDecoder(
      OtlpSettings settings,
      SeriesCache cache,
      Client client,
      Delivery delivery,
      byte[] body,
      int length) {
    this.settings = settings;
    this.delivery = delivery;
    this.labels = new PointLabels(settings, cache, client, delivery, body);
    this.body = body;
    this.length = length;
  }

  /** The fields of a kind of points; {@link #NO_FIELD} for one that it has not. */
  private enum Kind {
    NUMBER(7, 8, NO_FIELD, NO_FIELD),
    HISTOGRAM(9, 10, 11, 12),
    EXPONENTIAL(1, 10, 12, 13),
    SUMMARY(7, 8, NO_FIELD, NO_FIELD);

    private final int attributes;
    private final int flags;
    private final int min;
    private final int max;

    Kind(int attributes, int flags, int min, int max) {
      this.attributes = attributes;
      this.flags = flags;
      this.min = min;
      this.max = max;
    }
  }

  /** Reads what a message contains. */
  @FunctionalInterface
  private interface Content {
    void read() throws UndecodableException;
  }

  /**
   * Reads and offers; ends early if the delivery fails.
   *
   * @throws UndecodableException if it is none; nothing was offered then
   */
  OtlpReport decode() throws UndecodableException {
    for (int pass = 0; pass < 2 && !delivery.hasFailed(); pass++) {
      offering = pass == 1;
      in.start(body, 0, length);
      each(1, this::resourceMetrics);
    }
    return report;
  }

  /** Reads each field of a number that is a message. */
  private void each(int field, Content content) throws UndecodableException {
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(field, DELIMITED)) {
        int outer = in.enter();
        content.read();
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
  }

  private void resourceMetrics() throws UndecodableException {
    labels.resource(0, 0);
    int start = in.position();
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        int bytes = in.length();
        labels.resource(in.position(), in.position() + bytes);
        in.step(bytes);
      } else {
        in.skip(tag);
      }
    }
    in.step(start - in.position());
    each(2, this::scopeMetrics);
  }

  private void scopeMetrics() throws UndecodableException {
    labels.scope(0, 0);
    int start = in.position();
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        int bytes = in.length();
        labels.scope(in.position(), in.position() + bytes);
        in.step(bytes);
      } else {
        in.skip(tag);
      }
    }
    in.step(start - in.position());
    each(2, this::metric);
  }

  /** Name and unit first, wherever they are. */
  private void metric() throws UndecodableException {
    metricNo += offering ? 1 : 0;
    labels.name(0, 0);
    labels.unit(0, 0);
    int start = in.position();
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        int bytes = in.length();
        labels.name(in.position(), in.position() + bytes);
        in.step(bytes);
      } else if (tag == tag(3, DELIMITED)) {
        int bytes = in.length();
        labels.unit(in.position(), in.position() + bytes);
        in.step(bytes);
      } else {
        in.skip(tag);
      }
    }
    in.step(start - in.position());
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      Kind kind = kind(tag);
      if (kind == null) {
        in.skip(tag);
      } else {
        int outer = in.enter();
        points(kind);
        in.leave(outer);
      }
    }
  }

  private static Kind kind(int tag) {
    return switch (tag) {
      case 5 << 3 | DELIMITED, 7 << 3 | DELIMITED -> Kind.NUMBER;
      case 9 << 3 | DELIMITED -> Kind.HISTOGRAM;
      case 10 << 3 | DELIMITED -> Kind.EXPONENTIAL;
      case 11 << 3 | DELIMITED -> Kind.SUMMARY;
      default -> null;
    };
  }

  private void points(Kind kind) throws UndecodableException {
    delta = false;
    int start = in.position();
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(2, VARINT)) {
        delta = in.varint64() == DELTA;
      } else {
        in.skip(tag);
      }
    }
    in.step(start - in.position());
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == tag(1, DELIMITED)) {
        int outer = in.enter();
        point(kind);
        in.leave(outer);
        if (offering && !delivery.hasFailed()) {
          report.point(kind == Kind.NUMBER ? offerNumber() : offerHistogram(kind), metricNo);
        }
      } else {
        in.skip(tag);
      }
    }
  }

  private void point(Kind kind) throws UndecodableException {
    labels.point();
    timeNanos = 0;
    count = 0;
    value = 0;
    hasValue = kind == Kind.SUMMARY;
    hasMin = false;
    hasMax = false;
    flags = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      int field = tag >>> 3;
      boolean fixed = (tag & 7) == FIXED64;
      if (tag == tag(kind.attributes, DELIMITED)) {
        int bytes = in.length();
        if (offering) {
          labels.attribute(in.position(), in.position() + bytes);
        }
        in.step(bytes);
      } else if (fixed && field == 3) {
        timeNanos = in.fixed64();
      } else if (fixed && kind == Kind.NUMBER && (field == 4 || field == 6)) {
        value = field == 4 ? in.fixedDouble() : in.fixed64();
        hasValue = true;
      } else if (fixed && field == 4) {
        count = in.fixed64();
      } else if (fixed && field == 5 && kind != Kind.NUMBER) {
        value = in.fixedDouble();
        hasValue = true;
      } else if (fixed && field == kind.min) {
        min = in.fixedDouble();
        hasMin = true;
      } else if (fixed && field == kind.max) {
        max = in.fixedDouble();
        hasMax = true;
      } else if (tag == tag(kind.flags, VARINT)) {
        flags = in.varint64();
      } else {
        in.skip(tag);
      }
    }
  }

  /** The reason if it is refused, or null. */
  private String offerNumber() {
    if (!hasValue || hasNoRecordedValue()) {
      report.skipped(Skip.NO_VALUE);
      return null;
    }
    return offer(PointPart.WHOLE, value);
  }

  private String offerHistogram(Kind kind) {
    if (settings.histograms() == Histograms.DROP) {
      report.skipped(Skip.HISTOGRAM);
      return null;
    }
    if (hasNoRecordedValue()) {
      report.skipped(Skip.NO_VALUE);
      return null;
    }
    String refusal = offer(PointPart.COUNT, unsigned(count));
    if (refusal == null && hasValue) {
      refusal = offer(PointPart.SUM, value);
    }
    if (refusal == null && delta && hasMin && kind != Kind.SUMMARY) {
      refusal = offer(PointPart.MIN, min);
    }
    if (refusal == null && delta && hasMax && kind != Kind.SUMMARY) {
      refusal = offer(PointPart.MAX, max);
    }
    return refusal;
  }

  private boolean hasNoRecordedValue() {
    return (flags & NO_RECORDED_VALUE) != 0;
  }

  /** The nearest double. */
  private static double unsigned(long number) {
    return number >= 0 ? number : 2.0 * (number >>> 1 | number & 1);
  }

  private String offer(PointPart part, double reading) {
    Sensor sensor = labels.sensor(part);
    if (delivery.hasFailed()) {
      return null;
    }
    if (sensor == null) {
      return "BAD_LABELS";
    }
    if (sensor == Sensor.FOREIGN) {
      return Outcome.NOT_ITS_SENSOR.name();
    }
    if (Double.isNaN(reading)) {
      report.skipped(Skip.NAN);
      return null;
    }
    long timestampMs = Long.divideUnsigned(timeNanos, NANOS_OF_MS);
    int nanosOfMs = (int) Long.remainderUnsigned(timeNanos, NANOS_OF_MS);
    return delivery
        .offer(sensor, timestampMs, nanosOfMs, reading, Quality.GOOD)
        .refusal()
        .orElse(null);
  }
}

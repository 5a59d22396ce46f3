package io.weir.internal.input.prometheus;

import io.weir.internal.input.Client;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.LabelSeries;
import io.weir.internal.input.Outcome;
import io.weir.internal.input.Sensor;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.SeriesKey;
import io.weir.internal.input.SeriesSource;
import io.weir.internal.input.prometheus.SampleReport.Skip;
import io.weir.internal.wire.FieldReader;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Quality;
import java.util.Arrays;

/**
 * Reads a WriteRequest of Prometheus, or a Request of version 2, and offers its samples. The first
 * pass offers nothing, so that a damaged body offers nothing; it also finds the symbols, which may
 * come last. Not thread-safe.
 */
final class RemoteWriteDecoder {
  private static final String BAD_LABELS = "BAD_LABELS";

  /** Prometheus's NaN that ends a series. */
  private static final long STALE = 0x7ff0000000000002L;

  /** Of a request: a place of one takes four times the bytes of an empty one. */
  private static final int MOST_SYMBOLS = 1 << 20;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int DELIMITED = 2;

  private final RemoteWriteSettings settings;
  private final SeriesCache cache;
  private final Client client;
  private final SeriesSource source;
  private final Delivery delivery;
  private final boolean version2;
  private final byte[] body;
  private final FieldReader in = new FieldReader();
  private final Labels labels;
  private final SampleReport report = new SampleReport();
  private int[] symbols = new int[64];
  private int symbolCount;

  /** A place of a label's name whose value has not come yet; -1 for none. */
  private int pendingName = -1;

  private boolean offering;
  private int seriesNo;
  private Sensor sensor;

  RemoteWriteDecoder(
      RemoteWriteSettings settings,
      SeriesCache cache,
      Client client,
      Delivery delivery,
      boolean version2,
      byte[] body) {
    this.settings = settings;
    this.cache = cache;
    this.client = client;
    this.source = new SeriesSource(client);
    this.delivery = delivery;
    this.version2 = version2;
    this.body = body;
    this.labels = new Labels(body);
  }

  /** Of what a series' name ends with, and what it is. */
  private enum Part {
    WHOLE(""),
    COUNT("_count"),
    SUM("_sum");

    private final String suffix;

    Part(String suffix) {
      this.suffix = suffix;
    }
  }

  /**
   * Reads and offers; ends early if the delivery fails.
   *
   * @throws UndecodableException if it is none; nothing was offered then
   */
  SampleReport decode() throws UndecodableException {
    pass();
    offering = true;
    pass();
    return report;
  }

  private void pass() throws UndecodableException {
    int series = version2 ? 5 : 1;
    in.start(body, 0, body.length);
    for (int tag = in.tag(); tag != 0 && !delivery.hasFailed(); tag = in.tag()) {
      if (tag == field(series, DELIMITED)) {
        int outer = in.enter();
        series();
        in.leave(outer);
      } else if (version2 && !offering && tag == field(4, DELIMITED)) {
        symbol();
      } else {
        if (!version2 && tag == field(3, DELIMITED)) {
          skipped(Skip.METADATA);
        }
        in.skip(tag);
      }
    }
  }

  private void symbol() throws UndecodableException {
    if (symbolCount == MOST_SYMBOLS) {
      throw UndecodableException.malformed("too many symbols");
    }
    if (symbols.length == 2 * symbolCount) {
      symbols = Arrays.copyOf(symbols, 2 * symbols.length);
    }
    int length = in.length();
    symbols[2 * symbolCount] = in.position();
    symbols[2 * symbolCount + 1] = in.position() + length;
    symbolCount++;
    in.step(length);
  }

  /** Labels first, wherever they are, then what they belong to. */
  private void series() throws UndecodableException {
    if (offering) {
      seriesNo++;
      sensor = null;
      int start = in.position();
      labels();
      in.step(start - in.position());
    }
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == field(1, DELIMITED) && !offering) {
        label();
      } else if (tag == field(2, DELIMITED)) {
        sample();
      } else if (tag == field(version2 ? 3 : 4, DELIMITED)) {
        histogram();
      } else {
        if (tag == field(version2 ? 4 : 3, DELIMITED)) {
          skipped(Skip.EXEMPLAR);
        }
        in.skip(tag);
      }
    }
  }

  private void labels() throws UndecodableException {
    labels.clear();
    pendingName = -1;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == field(1, DELIMITED)) {
        label();
      } else if (version2 && tag == field(1, VARINT)) {
        reference(in.varint32());
      } else {
        in.skip(tag);
      }
    }
    if (pendingName >= 0) {
      labels.bad();
    }
  }

  /** A label, or references to symbols. */
  private void label() throws UndecodableException {
    int outer = in.enter();
    if (version2) {
      while (!in.atEnd()) {
        reference(in.varint32());
      }
    } else {
      labelOfVersion1();
    }
    in.leave(outer);
  }

  private void labelOfVersion1() throws UndecodableException {
    int nameFrom = 0;
    int nameTo = 0;
    int valueFrom = 0;
    int valueTo = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == field(1, DELIMITED)) {
        int length = in.length();
        nameFrom = in.position();
        nameTo = nameFrom + length;
        in.step(length);
      } else if (tag == field(2, DELIMITED)) {
        int length = in.length();
        valueFrom = in.position();
        valueTo = valueFrom + length;
        in.step(length);
      } else {
        in.skip(tag);
      }
    }
    if (offering) {
      labels.add(nameFrom, nameTo, valueFrom, valueTo);
    }
  }

  /** Of a name, then of its value. */
  private void reference(int symbol) {
    if (!offering) {
      return;
    }
    if (symbol < 0 || symbol >= symbolCount) {
      labels.bad();
    } else if (pendingName < 0) {
      pendingName = symbol;
    } else {
      int name = 2 * pendingName;
      int value = 2 * symbol;
      labels.add(symbols[name], symbols[name + 1], symbols[value], symbols[value + 1]);
      pendingName = -1;
    }
  }

  private void sample() throws UndecodableException {
    int outer = in.enter();
    double value = 0;
    long timestampMs = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == field(1, FIXED64)) {
        value = in.fixedDouble();
      } else if (tag == field(2, VARINT)) {
        timestampMs = in.varint64();
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    if (offering) {
      report.sample(offer(Part.WHOLE, timestampMs, value), seriesNo);
    }
  }

  private void histogram() throws UndecodableException {
    int outer = in.enter();
    double count = 0;
    double sum = 0;
    long timestampMs = 0;
    for (int tag = in.tag(); tag != 0; tag = in.tag()) {
      if (tag == field(1, VARINT)) {
        count = unsigned(in.varint64());
      } else if (tag == field(2, FIXED64)) {
        count = in.fixedDouble();
      } else if (tag == field(3, FIXED64)) {
        sum = in.fixedDouble();
      } else if (tag == field(15, VARINT)) {
        timestampMs = in.varint64();
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    if (offering) {
      report.histogram(offerHistogram(timestampMs, count, sum), seriesNo);
    }
  }

  private String offerHistogram(long timestampMs, double count, double sum) {
    if (settings.histograms() == Histograms.DROP) {
      report.skipped(Skip.HISTOGRAM);
      return null;
    }
    String refusal = offer(Part.COUNT, timestampMs, isStale(sum) ? sum : count);
    return refusal == null ? offer(Part.SUM, timestampMs, sum) : refusal;
  }

  /** The nearest double. */
  private static double unsigned(long number) {
    return number >= 0 ? number : 2.0 * (number >>> 1 | number & 1);
  }

  private static boolean isStale(double value) {
    return Double.doubleToRawLongBits(value) == STALE;
  }

  /** Offers or skips a sample; the reason if it is refused, or null. */
  private String offer(Part part, long timestampMs, double value) {
    Sensor of = part == Part.WHOLE && sensor != null ? sensor : known(part);
    if (delivery.hasFailed()) {
      return null;
    }
    if (of == null) {
      return BAD_LABELS;
    }
    if (of == Sensor.FOREIGN) {
      return Outcome.NOT_ITS_SENSOR.name();
    }
    if (part == Part.WHOLE) {
      sensor = of;
    }
    if (isStale(value)) {
      skipped(Skip.STALE);
      if (settings.ordered()) {
        delivery.complete(of, timestampMs);
      }
      return null;
    }
    if (!Double.isFinite(value) && settings.nonFinite() == RemoteWriteSettings.NonFinite.SKIP) {
      skipped(Double.isNaN(value) ? Skip.NAN : Skip.INFINITE);
      return null;
    }
    return delivery.offer(of, timestampMs, 0, value, Quality.GOOD).refusal().orElse(null);
  }

  private void skipped(Skip kind) {
    if (offering) {
      report.skipped(kind);
    }
  }

  /** Null if the labels are bad. */
  private Sensor known(Part part) {
    // A few bytes can refer to long labels, and these are copied for each series.
    if (labels.isBad() || delivery.isLate()) {
      return null;
    }
    SeriesKey key = labels.key();
    int length = key.length();
    key.add(part.ordinal());
    Sensor found = cache.find(key, source);
    if (found == null) {
      LabelSeries series = labels.series(part.suffix);
      if (series == null) {
        labels.bad();
      } else {
        found = sensor(series);
        cache.put(key, source, found);
      }
    }
    key.cut(length);
    return found;
  }

  private Sensor sensor(LabelSeries series) {
    return series.sensor(
        settings.template(),
        client,
        (name, label) ->
            !name.equals("label")
                ? null
                : label.equals("__name__") ? series.name() : series.labels().get(label));
  }

  private static int field(int number, int wireType) {
    return number << 3 | wireType;
  }
}

package io.weir.internal.input.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.LabelSeries;
import io.weir.internal.input.SeriesKey;
import io.weir.internal.text.Utf8;
import java.util.HashMap;
import java.util.Map;

/** The labels of one series, as slices of the body, within limits. Not thread-safe. */
final class Labels {
  private static final String NAME = "__name__";
  private static final int MOST_LABELS = 256;
  private static final int MOST_BYTES = 64 * 1024;
  private static final int SLICE = 4;

  private final byte[] body;
  private final int[] slices = new int[SLICE * MOST_LABELS];
  private final SeriesKey key = new SeriesKey();
  private int count;
  private long bytes;
  private boolean bad;

  Labels(byte[] body) {
    this.body = body;
  }

  void clear() {
    count = 0;
    bytes = 0;
    bad = false;
    key.clear();
  }

  /** There is none of these labels. */
  void bad() {
    bad = true;
  }

  void add(int nameFrom, int nameTo, int valueFrom, int valueTo) {
    bytes += (long) nameTo - nameFrom + valueTo - valueFrom;
    if (count == MOST_LABELS || bytes > MOST_BYTES) {
      bad = true;
      return;
    }
    int slice = SLICE * count++;
    slices[slice] = nameFrom;
    slices[slice + 1] = nameTo;
    slices[slice + 2] = valueFrom;
    slices[slice + 3] = valueTo;
  }

  boolean isBad() {
    return bad;
  }

  /** The labels in their order; copied when they are asked for. */
  SeriesKey key() {
    if (key.length() == 0) {
      for (int at = 0; at < SLICE * count; at += 2) {
        key.add(body, slices[at], slices[at + 1]);
      }
    }
    return key;
  }

  /**
   * The series; null if the labels are bad.
   *
   * @param suffix of its name
   */
  LabelSeries series(String suffix) {
    Map<String, String> labels = new HashMap<>();
    for (int slice = 0; slice < SLICE * count; slice += SLICE) {
      String name = text(slices[slice], slices[slice + 1]);
      String value = text(slices[slice + 2], slices[slice + 3]);
      boolean good = name != null && !name.isEmpty() && value != null;
      if (!good || labels.put(name, value) != null) {
        return null;
      }
    }
    String name = labels.remove(NAME);
    return LabelSeries.of((name == null ? "" : name) + suffix, labels);
  }

  private String text(int from, int to) {
    return Utf8.isValid(body, from, to) ? new String(body, from, to - from, UTF_8) : null;
  }
}

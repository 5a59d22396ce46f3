package io.weir.internal.text.mapping;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Local times as instants, and the two hours a year in which that is a question. One thread. */
final class LocalTimes {
  private static final long TWO_HOURS_MS = 7_200_000;
  private static final int MOST_SERIES = 100_000;
  private static final int MOST_CHARS = 16 << 20;

  private final ZoneId zone;
  private final Optional<TimeFormat.Choice> ambiguous;

  /** Those that were read last come last. */
  private final Map<String, Steps> series = new LinkedHashMap<>(16, 0.75f, true);

  private long chars;
  private boolean hasForgotten;
  private long millis;

  LocalTimes(ZoneId zone, Optional<TimeFormat.Choice> ambiguous) {
    this.zone = zone;
    this.ambiguous = ambiguous;
  }

  ZoneId zone() {
    return zone;
  }

  boolean isByOrder() {
    return ambiguous.filter(TimeFormat.Choice.ORDER::equals).isPresent();
  }

  TimeReader.Outcome read(LocalDateTime local, ZoneId of, String ofSeries) {
    List<ZoneOffset> offsets = of.getRules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      return TimeReader.Outcome.NONEXISTENT;
    }
    if (offsets.size() > 1 && ambiguous.isEmpty()) {
      return TimeReader.Outcome.AMBIGUOUS;
    }
    // The offset before the change comes first, and gives the earlier instant.
    boolean later = ambiguous.filter(TimeFormat.Choice.LATER::equals).isPresent();
    read(local, offsets.get(later ? offsets.size() - 1 : 0));
    if (isByOrder()) {
      Steps steps = steps(ofSeries, offsets.size() > 1);
      if (steps == null) {
        return TimeReader.Outcome.AMBIGUOUS;
      }
      long earlier = millis;
      read(local, offsets.get(offsets.size() - 1));
      millis = steps.next(earlier, millis);
    }
    return TimeReader.Outcome.READ;
  }

  /** Null if the time is ambiguous, and what the series had before may be forgotten. */
  private Steps steps(String ofSeries, boolean isAmbiguous) {
    Steps known = series.get(ofSeries);
    if (known != null || isAmbiguous && hasForgotten) {
      return known;
    }
    Steps added = new Steps();
    series.put(ofSeries, added);
    chars += ofSeries.length();
    Iterator<String> oldest = series.keySet().iterator();
    while (series.size() > MOST_SERIES || chars > MOST_CHARS && series.size() > 1) {
      chars -= oldest.next().length();
      oldest.remove();
      hasForgotten = true;
    }
    return added;
  }

  /** The last step of a series, forwards or backwards. */
  private static final class Steps {
    private long last = Long.MIN_VALUE;
    private boolean backwards;

    /** The instant that continues the series. */
    long next(long earlier, long later) {
      boolean near = last - later < TWO_HOURS_MS;
      long next = backwards ? (later < last ? later : earlier) : earlier > last ? earlier : later;
      next = last == Long.MIN_VALUE || !near ? earlier : next;
      backwards = next < last;
      last = next;
      return next;
    }
  }

  void read(LocalDateTime local, ZoneOffset offset) {
    millis =
        Math.addExact(
            Math.multiplyExact(local.toEpochSecond(offset), 1000L), local.getNano() / 1_000_000);
  }

  long millis() {
    return millis;
  }
}

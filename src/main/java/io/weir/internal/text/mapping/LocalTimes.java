package io.weir.internal.text.mapping;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Local times as instants, and the two hours a year in which that is a question. One thread. */
final class LocalTimes {
  private static final long TWO_HOURS_MS = 7_200_000;

  private final ZoneId zone;
  private final Optional<TimeFormat.Choice> ambiguous;
  private final Map<String, Steps> series = new HashMap<>();
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
      Steps steps = series.computeIfAbsent(ofSeries, id -> new Steps());
      long earlier = millis;
      read(local, offsets.get(offsets.size() - 1));
      millis = steps.next(earlier, millis);
    }
    return TimeReader.Outcome.READ;
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

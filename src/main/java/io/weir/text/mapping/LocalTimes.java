package io.weir.text.mapping;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Local times as instants, and the two hours a year in which that is a question. One thread. */
final class LocalTimes {
  private final ZoneId zone;
  private final Optional<TimeFormat.Choice> ambiguous;
  private long millis;

  LocalTimes(ZoneId zone, Optional<TimeFormat.Choice> ambiguous) {
    this.zone = zone;
    this.ambiguous = ambiguous;
  }

  ZoneId zone() {
    return zone;
  }

  TimeReader.Outcome read(LocalDateTime local, ZoneId of) {
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
    return TimeReader.Outcome.READ;
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

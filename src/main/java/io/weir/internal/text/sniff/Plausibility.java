package io.weir.internal.text.sniff;

import io.weir.reading.Reading;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Looks at readings of a sample as its command reads them: what is unlikely to be meant. */
public final class Plausibility {
  private static final long DAY_MS = 86_400_000;
  private static final long FIRST_MS = Instant.parse("1990-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST_MS = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
  private static final int SOME = 5;

  private Plausibility() {}

  /** What to decide, a line each. */
  public static List<String> of(List<Reading> readings) {
    List<String> found = new ArrayList<>();
    Set<String> places = new HashSet<>();
    Set<String> ids = new HashSet<>();
    readings.forEach(r -> places.add(r.timestampMs() + " " + r.sensorId()));
    readings.forEach(r -> ids.add(r.sensorId()));
    long repeated = readings.size() - places.size();
    boolean midnight = readings.stream().allMatch(r -> r.timestampMs() % DAY_MS == 0);
    if (repeated > 0 && midnight) {
      found.add(
          "the time of day: all readings of a day have one time; join the column that has it,"
              + " --columns timestamp=DATE+TIME");
    } else if (repeated > 0) {
      found.add(
          String.format(
              Locale.ROOT,
              "the sensor or the time: %,d readings have the sensor and the time of another; a"
                  + " column that tells them apart may belong to --sensor-id or to the time",
              repeated));
    }
    if (readings.size() > SOME && ids.size() == readings.size()) {
      found.add("the sensor: each reading would be a sensor of its own");
    }
    readings.stream()
        .filter(r -> r.timestampMs() < FIRST_MS || r.timestampMs() >= LAST_MS)
        .findFirst()
        .ifPresent(
            r ->
                found.add(
                    "the time format: a reading would be of "
                        + Instant.ofEpochMilli(r.timestampMs()).toString().substring(0, 4)));
    if (ids.stream().anyMatch(TimeGuess::maybe)) {
      found.add("the sensor: a time is taken for its name");
    }
    return found;
  }
}

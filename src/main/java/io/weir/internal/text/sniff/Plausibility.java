package io.weir.internal.text.sniff;

import io.weir.reading.Reading;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks at readings of a sample as its command reads them: what is unlikely to be meant. */
public final class Plausibility {
  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;
  private static final int HALF_DAY = 12;
  private static final long FIRST_MS = Instant.parse("1990-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST_MS = Instant.parse("2050-01-01T00:00:00Z").toEpochMilli();
  private static final int SOME = 5;
  private static final double JUMP = 500;
  private static final double FAR = 3;

  /** What programs write for no value. */
  private static final String NONE =
      "-?(9{3,}(\\.9+)?|99\\.9+|[67]9{3}|327\\.?6\\.?7|655\\.?3\\.?5|2147483647|4294967295)"
          + "|-127|-327\\.?6\\.?8|-2147483648";

  private Plausibility() {}

  /** What to decide, a line each. */
  public static List<String> of(List<Reading> readings) {
    List<String> found = new ArrayList<>();
    Map<String, List<Reading>> sensors = new LinkedHashMap<>();
    readings.forEach(r -> sensors.computeIfAbsent(r.sensorId(), id -> new ArrayList<>()).add(r));
    Set<String> places = new HashSet<>();
    readings.forEach(r -> places.add(r.timestampMs() + " " + r.sensorId()));
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
    if (sensors.values().stream().anyMatch(Plausibility::isOfHalfDays)) {
      found.add("the time of day: after 12 comes 1, as of a clock without its AM and PM");
    }
    if (readings.size() > SOME && sensors.size() == readings.size()) {
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
    if (sensors.keySet().stream().anyMatch(TimeGuess::maybe)) {
      found.add("the sensor: a time is taken for its name");
    }
    sensors.keySet().stream()
        .filter(id -> Stream.of(id.split("/")).anyMatch(Column::isMissing))
        .findFirst()
        .ifPresent(id -> found.add("the sensor: %s is taken for a name".formatted(id)));
    sensors.forEach((id, some) -> addOfValues(id, some, found));
    return found;
  }

  /** Whether the hours are 1 to 12, and come round within a day. */
  private static boolean isOfHalfDays(List<Reading> readings) {
    return readings.stream()
            .mapToLong(r -> Math.floorMod(r.timestampMs(), DAY_MS) / HOUR_MS)
            .allMatch(hour -> hour >= 1 && hour <= HALF_DAY)
        && IntStream.range(1, readings.size())
            .mapToLong(i -> readings.get(i - 1).timestampMs() - readings.get(i).timestampMs())
            .anyMatch(back -> back > (HALF_DAY - 2) * HOUR_MS && back <= HALF_DAY * HOUR_MS);
  }

  private static void addOfValues(String id, List<Reading> readings, List<String> found) {
    if (readings.stream().allMatch(Plausibility::isTime)) {
      found.add("whether %s is a value: it has times".formatted(id));
      return;
    }
    double[] sizes = readings.stream().mapToDouble(r -> Math.abs(r.value())).sorted().toArray();
    double[] some = DoubleStream.of(sizes).filter(size -> size > 0).toArray();
    double usual = some.length < SOME ? Double.MAX_VALUE : some[some.length / 2];
    for (Reading reading : readings) {
      double size = Math.abs(reading.value());
      double other = DoubleStream.of(sizes).filter(s -> s < size).max().orElse(size);
      String text = BigDecimal.valueOf(reading.value()).stripTrailingZeros().toPlainString();
      boolean negative = reading.value() < 0; // And it alone.
      negative &= readings.stream().allMatch(r -> r.value() >= 0 || r.value() == reading.value());
      if (size / usual >= JUMP || (text.matches(NONE) && (negative || size > FAR * other))) {
        found.add(
            "whether %s is a value of %s: it is far from others; if not, --missing=%s"
                .formatted(text, id, text));
        return;
      }
    }
  }

  private static boolean isTime(Reading reading) {
    return DoubleStream.of(1_000, 1, 1e-3, 1e-6)
        .anyMatch(unit -> Math.abs(reading.value() * unit - reading.timestampMs()) < DAY_MS);
  }
}

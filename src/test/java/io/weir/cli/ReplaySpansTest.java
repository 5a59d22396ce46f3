package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.oracle.NaiveWindows;
import io.weir.reading.Quality;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What a replay gives of many windows, of rollups and of hopping windows, against one pass over the
 * readings.
 */
class ReplaySpansTest extends ReplayFixture {
  @Test
  void oneSensorWithManyWindows_inAnyOrder_givesEachOfThem() throws Exception {
    int windowCount = 100_000;
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int[] order = new Random(seed).ints(0, windowCount).limit(windowCount / 2).toArray();
    NaiveWindows expected = new NaiveWindows(1_000);
    Path file = dir.resolve("many.csv");
    try (var out = Files.newBufferedWriter(file)) {
      out.write("sensor_id,timestamp_ms,value\n");
      for (int i = 0; i < windowCount; i++) {
        add(out, expected, (i + 1) * 1_000L, random.nextGaussian());
      }
      for (int i : order) {
        add(out, expected, (i + 1) * 1_000L + 999, random.nextGaussian());
      }
    }

    replay("1s", file);

    Map<NaiveWindows.Key, String[]> got = windows();
    assertThat(got).hasSize(windowCount);
    expected
        .windows()
        .forEach(
            (key, window) -> {
              String[] cells = got.get(key);
              boolean equal =
                  Long.parseLong(cells[3]) == window.count()
                      && NaiveWindows.isRoundedSum(window.sum(), Double.parseDouble(cells[4]))
                      && Double.parseDouble(cells[5]) == window.min()
                      && Double.parseDouble(cells[6]) == window.max();
              assertThat(equal).as("seed %d, %s", seed, key).isTrue();
            });
  }

  @Test
  void hoppingWindows_ofReadingsInAnyOrder_areThoseOfOnePassOverTheirSpans() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Map<NaiveWindows.Key, List<Double>> expected = new TreeMap<>();
    Path file = dir.resolve("minutes.csv");
    try (var out = Files.newBufferedWriter(file)) {
      out.write("sensor_id,timestamp_ms,value\n");
      for (int i = 0; i < 2_000; i++) {
        String sensor = "s" + random.nextInt(3);
        long timestampMs = 1_700_000_000_000L + random.nextInt(3_600_000);
        out.write(sensor + "," + timestampMs + "," + i + "\n");
        long endMs = timestampMs - timestampMs % 10_000 + 10_000;
        expected
            .computeIfAbsent(new NaiveWindows.Key(sensor, endMs), key -> new ArrayList<>())
            .add((double) i);
      }
    }
    Path hops = dir.resolve("hops");

    replay("10s", file, "--hopping=1m", "--hopping-out=" + hops);

    List<String> got = new ArrayList<>();
    for (String line : Files.readAllLines(hops)) {
      got.add(line.substring(0, line.lastIndexOf(',')));
    }
    List<String> lines = new ArrayList<>(List.of(got.get(0)));
    expected.forEach(
        (key, newest) -> {
          List<Double> values = new ArrayList<>();
          for (long endMs = key.startMs() - 50_000; endMs <= key.startMs(); endMs += 10_000) {
            values.addAll(
                expected.getOrDefault(new NaiveWindows.Key(key.sensorId(), endMs), List.of()));
          }
          DoubleSummaryStatistics of =
              values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
          lines.add(
              String.join(
                  ",",
                  key.sensorId(),
                  "" + (key.startMs() - 60_000),
                  "" + key.startMs(),
                  "" + of.getCount(),
                  "" + of.getSum(),
                  "" + of.getMin(),
                  "" + of.getMax()));
        });
    assertThat(got).as("seed %d", seed).isEqualTo(lines);
  }

  @Test
  void rollups_ofReadingsInAnyOrder_areThoseOfOnePassOverTheirSpans() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Long> sizesMs = List.of(60_000L, 3_600_000L, 86_400_000L);
    List<NaiveWindows> expected = sizesMs.stream().map(NaiveWindows::new).toList();
    Path file = dir.resolve("days.csv");
    try (var out = Files.newBufferedWriter(file)) {
      out.write("sensor_id,timestamp_ms,value,quality\n");
      for (int i = 0; i < 20_000; i++) {
        String sensor = "s" + random.nextInt(3);
        long timestampMs = 1_700_000_000_000L + random.nextInt(3 * 86_400_000);
        double value = Math.scalb(random.nextGaussian(), random.nextInt(120) - 60);
        Quality quality = random.nextInt(9) == 0 ? Quality.BAD : Quality.GOOD;
        out.write(sensor + "," + timestampMs + "," + value + "," + quality + "\n");
        expected.forEach(spans -> spans.add(sensor, timestampMs, value, quality));
      }
    }
    Path rollups = dir.resolve("rollups");

    replay("10s", file, "--rollups=1m,1h,1d", "--rollups-out=" + rollups);

    List<String> got = Files.readAllLines(rollups);
    Map<NaiveWindows.Key, Map<Long, String[]>> bySpan = new TreeMap<>();
    List<String> order = new ArrayList<>();
    for (String line : got.subList(1, got.size())) {
      String[] fields = line.split(",");
      long startMs = Long.parseLong(fields[1]);
      long sizeMs = Long.parseLong(fields[2]) - startMs;
      bySpan
          .computeIfAbsent(new NaiveWindows.Key(fields[0], startMs), key -> new TreeMap<>())
          .put(sizeMs, fields);
      order.add(fields[0] + " " + startMs + " " + sizeMs);
    }
    List<String> sorted = new ArrayList<>();
    bySpan.forEach(
        (key, sizes) ->
            sizes
                .keySet()
                .forEach(ms -> sorted.add(key.sensorId() + " " + key.startMs() + " " + ms)));
    assertThat(order).as("seed %d", seed).isEqualTo(sorted);
    assertThat(order).hasSize(expected.stream().mapToInt(spans -> spans.windows().size()).sum());
    for (int i = 0; i < sizesMs.size(); i++) {
      long sizeMs = sizesMs.get(i);
      expected
          .get(i)
          .windows()
          .forEach((key, span) -> assertSpan(seed, key, span, bySpan.get(key).get(sizeMs)));
    }
  }

  private static void assertSpan(
      long seed, NaiveWindows.Key key, NaiveWindows.Window span, String[] got) {
    boolean equal =
        Long.parseLong(got[3]) == span.count()
            && NaiveWindows.isRoundedSum(span.sum(), Double.parseDouble(got[4]))
            && Double.parseDouble(got[5]) == span.min()
            && Double.parseDouble(got[6]) == span.max();
    assertThat(equal).as("seed %d, %s: %s", seed, key, String.join(",", got)).isTrue();
  }

  private static void add(Writer out, NaiveWindows expected, long timestampMs, double value)
      throws IOException {
    out.write("one," + timestampMs + "," + value + "\n");
    expected.add("one", timestampMs, value, Quality.GOOD);
  }
}

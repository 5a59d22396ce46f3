package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.dev.EmbeddedKafka;
import io.weir.dev.oracle.NaiveWindows;
import io.weir.oracle.SharedData;
import io.weir.reading.Quality;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir replay} the whole way, on recordings of real sensors and on hostile files. */
class ReplayTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"skab", "lora-sainteynard"})
  void recording_givesTheWindowsAndRejectsOfAnotherProgram(String name) throws Exception {
    assumeTrue(SharedData.folder().isPresent(), "the recordings are missing");
    Path data = SharedData.folder().get();

    replay("60s", data.resolve(name + ".csv.gz"));

    Map<NaiveWindows.Key, String[]> got = windows();
    List<String> expected = gunzip(data.resolve(name + ".windows-60s.csv.gz"));
    assertThat(got).hasSize(expected.size() - 1);
    for (String line : expected.subList(1, expected.size())) {
      String[] window = line.split(",");
      String[] cells = got.get(new NaiveWindows.Key(window[0], Long.parseLong(window[1])));
      assertThat(cells[3]).as(line).isEqualTo(window[2]);
      BigDecimal sum = new BigDecimal(Double.parseDouble(window[3]));
      assertThat(NaiveWindows.isRoundedSum(sum, Double.parseDouble(cells[4]))).isTrue();
      assertThat(Double.parseDouble(cells[5])).isEqualTo(Double.parseDouble(window[4]));
      assertThat(Double.parseDouble(cells[6])).isEqualTo(Double.parseDouble(window[5]));
    }
    assertThat(lineNumbers(Files.readAllLines(dir.resolve("rejects"), StandardCharsets.UTF_8)))
        .isEqualTo(lineNumbers(gunzip(data.resolve(name + ".rejects.csv.gz"))));
  }

  @Test
  void hostileFile_givesTheWindowsOfItsGoodLines_andEveryBadOne() throws Exception {
    Path file = dir.resolve("hostile.csv");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});
      write(out, "sensor_id,timestamp_ms,value,quality\r\n");
      write(out, "a,1000,+1.,GOOD\r\n");
      write(out, "a,1001,\"unclosed,2\n");
      write(out, "a,1002,.5e+1,\n");
      write(out, "\n");
      write(out, "a,1003,1e16,\na,1004,1,\na,1005,-1e16,\n");
      write(out, "\"b \"\"q\"\", ü\",01999,-0.0,UNCERTAIN\r\n");
      out.write(new byte[] {'c', (byte) 0xff, ',', '1', ',', '1', ',', '\n'});
      write(out, "h,1000,1.7976931348623157e308,\nh,1001,1.7976931348623157e308,\n");
      write(out, "t,1000,4.9e-324,\nt,1000,1e-400,\n");
      write(out, "a, 1006,1,\na,1007,1d,\na,1008,NaN,\na,1009,0x1p3,\na,0,1,\na,-5,1,\n");
      write(out, "a,9223372036854775808,1,\n" + "x".repeat(257) + ",1,1,\n,1,1,\na,1,,\n");
      write(out, "a,1010,7,BAD\na,1011,1e999,\na,99999999999999,1,");
    }

    replay("1s", file);

    Map<NaiveWindows.Key, String[]> got = windows();
    assertThat(got.keySet())
        .extracting(key -> key.sensorId() + "@" + key.startMs())
        .containsExactly("a@1000", "b \"q\", ü@1000", "h@1000", "t@1000");
    assertWindow(got, "a", "5", "7.0", "-1.0E16", "1.0E16");
    assertWindow(got, "b \"q\", ü", "1", "0.0", "0.0", "0.0");
    assertWindow(got, "h", "2", "Infinity", "1.7976931348623157E308", "1.7976931348623157E308");
    assertWindow(got, "t", "2", "4.9E-324", "0.0", "4.9E-324");
    assertThat(lineNumbers(Files.readAllLines(dir.resolve("rejects"), StandardCharsets.ISO_8859_1)))
        .containsExactly(3, 10, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27);
  }

  @Test
  void telegrafsFile_givesAWindowForEachFieldThatIsANumber() throws Exception {
    Path file = dir.resolve("metrics.out");
    Files.writeString(
        file,
        """
        # written by an agent
        system,host=pi\\ 4 load1=0.5,n_cpus=4i,up=true,format="1 day" 1100
        system,host=pi\\ 4 load1=0.25,format="1 day" 1900
        system load1=1 1900
        system,host=pi\\ 4 load1=1
        system,host=pi\\ 4 load1=-8 2000
        """);

    replay("1s", file, "--format=line", "--precision=ms", "--sensor-id={tag:host}/{field}");

    assertThat(windows().keySet())
        .extracting(key -> key.sensorId() + "@" + key.startMs())
        .containsExactly("pi 4/load1@1000", "pi 4/load1@2000", "pi 4/n_cpus@1000", "pi 4/up@1000");
    assertWindow(windows(), "pi 4/load1", "2", "0.75", "0.25", "0.5");
    assertWindow(windows(), "pi 4/n_cpus", "1", "4.0", "4.0", "4.0");
    assertWindow(windows(), "pi 4/up", "1", "1.0", "1.0", "1.0");
    assertThat(Files.readAllLines(dir.resolve("rejects")))
        .containsExactly(
            "line_no,reason,line",
            "4,MISSING_SENSOR_ID,\"system load1=1 1900\"",
            "5,MISSING_TIMESTAMP,\"system,host=pi\\ 4 load1=1\"");
  }

  @Test
  void columnsOfStatistics_switchTheirSetsOn() throws Exception {
    Path file = dir.resolve("pump.csv");
    Files.writeString(
        file,
        """
        sensor_id,timestamp_ms,value,quality
        pump,1500,4,GOOD
        pump,1100,2,UNCERTAIN
        pump,1900,9,GOOD
        pump,1900,1000,BAD
        pump,2000,7,GOOD
        bad,1000,7,BAD
        """);

    replay(
        "1s",
        file,
        "--out-columns=spread,first_timestamp_ms,first,last_timestamp_ms,last,m2,"
            + "standard_deviation,uncertain_count,q0.5,integral,time_weighted_average,increase,"
            + "resets");

    assertThat(Files.readAllLines(dir.resolve("windows")))
        .containsExactly(
            "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision,spread,"
                + "first_timestamp_ms,first,last_timestamp_ms,last,m2,standard_deviation,"
                + "uncertain_count,q0.5,integral,time_weighted_average,increase,resets",
            "bad,1000,2000,0,0.0,0.0,0.0,0,,,,,,,,,,,,,",
            "pump,1000,2000,3,15.0,2.0,9.0,0,7.0,1100,2.0,1900,9.0,26.0,3.605551275463989,1,"
                + quantile(4)
                + ",2400.0,3.0,7.0,0",
            "pump,2000,3000,1,7.0,7.0,7.0,0,0.0,2000,7.0,2000,7.0,0.0,,0,7.0,0.0,,0.0,0");
  }

  /** What a histogram that spans two to nine knows of the reading in the middle. */
  private static String quantile(double exact) {
    double base = Math.pow(2, Math.pow(2, -6));
    double low = Math.pow(2, Math.floor(Math.log(exact) / Math.log(base) - 1e-9) / 64);
    return Double.toString(2 * low / (low / (low * base) + 1));
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertWindow(
      Map<NaiveWindows.Key, String[]> windows, String sensor, String... expected) {
    String[] got = windows.get(new NaiveWindows.Key(sensor, 1000));
    assertThat(Arrays.copyOfRange(got, 3, 7)).as(sensor).containsExactly(expected);
  }

  @Test
  void oneSensorWithManyWindows_inAnyOrder_givesEachOfThem() throws Exception {
    int windowCount = 300_000;
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

  private static void add(Writer out, NaiveWindows expected, long timestampMs, double value)
      throws IOException {
    out.write("one," + timestampMs + "," + value + "\n");
    expected.add("one", timestampMs, value, Quality.GOOD);
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

  @Test
  void fileOfNothing_givesNoWindows() throws Exception {
    Path file = Files.createFile(dir.resolve("empty.csv"));

    replay("10s", file);

    assertThat(windows()).isEmpty();
    assertThat(Files.readString(dir.resolve("rejects"))).isEqualTo("line_no,reason,line\n");
  }

  @Test
  void onAGivenCluster_writesBehindWhatStandsThere_andLeavesNothing() throws Exception {
    Path file = dir.resolve("two.csv");
    Files.writeString(file, "sensor_id,timestamp_ms,value\na,1,1\na,2,2\n");
    Path out = dir.resolve("out");
    Files.writeString(out, "before\n");
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      ProcessBuilder replay =
          WeirProcess.builder(
              "replay",
              "--bootstrap-servers",
              kafka.bootstrapServers(),
              "--rollups=1m,1h",
              "--rollups-out=" + dir.resolve("rollups"),
              file.toString());
      replay.environment().put("WEIR_INSTANCE_ID", "one");
      replay.redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()));

      WeirProcess.Ended ended = WeirProcess.ended(replay.start());

      assertThat(ended.status()).as(ended.err()).isZero();
      assertThat(Files.readAllLines(out))
          .containsExactly(
              "before",
              "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision",
              "a,0,10000,2,3.0,1.0,2.0,0");
      assertThat(Files.readAllLines(dir.resolve("rollups")))
          .containsExactly(
              "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision",
              "a,0,60000,2,3.0,1.0,2.0,0",
              "a,0,3600000,2,3.0,1.0,2.0,0");
      assertThat(admin.listTopics().names().get()).isEmpty();
      assertThat(admin.listGroups().all().get()).isEmpty();
    }
  }

  private void replay(String windowSize, Path file, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("replay", "--window-size", windowSize));
    arguments.addAll(List.of("--out", dir.resolve("windows").toString()));
    arguments.addAll(List.of("--rejects", dir.resolve("rejects").toString()));
    arguments.addAll(List.of(more));
    arguments.add(file.toString());
    WeirProcess.Ended ended = WeirProcess.run(arguments.toArray(String[]::new));
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).isEmpty();
  }

  private Map<NaiveWindows.Key, String[]> windows() throws IOException {
    List<String> lines = Files.readAllLines(dir.resolve("windows"), StandardCharsets.UTF_8);
    assertThat(lines.get(0))
        .isEqualTo("sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision");
    Map<NaiveWindows.Key, String[]> windows = new TreeMap<>();
    List<NaiveWindows.Key> order = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] window = split(line);
      NaiveWindows.Key key = new NaiveWindows.Key(window[0], Long.parseLong(window[1]));
      order.add(key);
      windows.put(key, window);
    }
    assertThat(order).isEqualTo(new ArrayList<>(windows.keySet()));
    return windows;
  }

  /** Only the first field may be quoted. */
  private static String[] split(String line) {
    if (!line.startsWith("\"")) {
      return line.split(",");
    }
    int end = line.lastIndexOf('"');
    String[] fields = ("," + line.substring(end + 2)).split(",");
    fields[0] = line.substring(1, end).replace("\"\"", "\"");
    return fields;
  }

  private static List<Integer> lineNumbers(List<String> rejects) {
    return rejects.stream()
        .skip(1)
        .map(line -> Integer.parseInt(line.substring(0, line.indexOf(','))))
        .toList();
  }

  private static List<String> gunzip(Path file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }
}

package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.lab.EmbeddedKafka;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.oracle.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replay reads, writes and leaves out. */
class ReplayTest extends ReplayFixture {
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

    replayInAProcess(
        "1s", file, "--format=line", "--precision=ms", "--sensor-id={tag:host}/{field}");

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

  private static void assertWindow(
      Map<NaiveWindows.Key, String[]> windows, String sensor, String... expected) {
    String[] got = windows.get(new NaiveWindows.Key(sensor, 1000));
    assertThat(Arrays.copyOfRange(got, 3, 7)).as(sensor).containsExactly(expected);
  }

  @Test
  void fileOfNothing_isAnError_andGivesNoWindows() throws Exception {
    Path file = Files.createFile(dir.resolve("empty.csv"));
    Path out = dir.resolve("windows");

    WeirProcess.Ended ended =
        CommandHost.shared()
            .run("replay", "--window-size", "10s", "--out", out.toString(), file.toString());

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err()).contains("no reading in " + file);
    assertThat(out).doesNotExist();
  }

  @Test
  void onAGivenCluster_appendsToTheOutput_andLeavesNothingOnTheCluster() throws Exception {
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

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}

package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir bench}, as small as it can be: that it comes to its end, not what it says. */
final class BenchCommandTest {
  @TempDir private Path dir;

  @Test
  void smallLoad_isMeasuredToItsEnd() throws Exception {
    Path json = dir.resolve("figures.json");

    WeirProcess.Ended bench =
        WeirProcess.run(
            "bench",
            "--quick",
            "--rounds",
            "1",
            "--readings",
            "5000",
            "--load",
            "dense_columnar",
            "--subject",
            "LOOP,WEIR",
            "--json",
            json.toString());

    assertThat(bench.status()).as(bench.err()).isZero();
    assertThat(bench.out()).contains("bare loop, 1 thread", "Weir", "Warm-up");
    assertThat(ratios(json))
        .containsExactlyInAnyOrder(
            "weir_over_loop_dense_columnar", "cpu_weir_over_loop_dense_columnar");
  }

  @Test
  void whatKeepsNothing_isNotKilled() throws Exception {
    WeirProcess.Ended bench =
        CommandHost.shared().run("bench", "--load", "dense_row", "--subject", "LOOP", "--kill");

    assertThat(bench.status()).isEqualTo(2);
    assertThat(bench.err()).contains("dense_row with LOOP cannot be killed and started again");
  }

  @Test
  void foldsHandlersAndTimers_areMeasuredToTheirEnd() throws Exception {
    WeirProcess.Ended bench =
        WeirProcess.run(
            "bench",
            "--quick",
            "--rounds",
            "1",
            "--readings",
            "2000",
            "--load",
            "events",
            "--subject",
            "FOLDS,HANDLERS,TIMERS");

    assertThat(bench.status()).as(bench.err()).isZero();
    assertThat(bench.out())
        .contains("Weir, folds", "events_handlers", "came due a second", "Weir, timers: p50");
  }

  @Test
  void fleet_isMeasuredWithWeirAndWithout() throws Exception {
    Path json = dir.resolve("fleet.json");
    WeirProcess.Ended bench =
        WeirProcess.run(
            "bench",
            "--rounds",
            "1",
            "--load",
            "fleet",
            "--sensors",
            "200",
            "--gateways",
            "2",
            "--warm-up",
            "1s",
            "--duration",
            "3s",
            "--json",
            json.toString());

    assertThat(bench.status()).as(bench.err()).isZero();
    assertThat(bench.out()).contains("Weir: 200 sensors", "Weir off: 200 sensors", "changelog");
    assertThat(ratios(json))
        .containsExactlyInAnyOrder(
            "broker_cpu_weir_on_over_off",
            "bytes_written_weir_on_over_off",
            "cpu_latest_over_none_fleet");
  }

  @Test
  void nothingLeftToMeasure_isWrongUsage() throws Exception {
    assertThat(CommandHost.shared().run("bench", "--load", "no_such_load").status()).isEqualTo(2);
    assertThat(CommandHost.shared().run("bench", "--rounds", "0").status()).isEqualTo(2);
    assertThat(CommandHost.shared().run("bench", "--compression", "brotli").err())
        .contains("--compression brotli: expected: none, gzip, snappy, lz4 and zstd");
  }

  private static Set<String> ratios(Path json) throws IOException {
    Set<String> names = new HashSet<>();
    try (JsonParser parser = new JsonFactory().createParser(json.toFile())) {
      while (parser.nextToken() != null && !"ratios".equals(parser.currentName())) {
        assertThat(parser.currentToken()).isNotNull();
      }
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        names.add(parser.currentName());
      }
    }
    return names;
  }
}

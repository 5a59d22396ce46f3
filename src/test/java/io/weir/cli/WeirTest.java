package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeirTest {
  @TempDir Path dir;

  @Test
  void partition_ofOddIds_takesThemAsTheyAre() throws Exception {
    WeirProcess.Ended ended = WeirProcess.run("partition", "a", "", "@x", "--", "-x", "--help");
    // The first two are known answers; @x, -x and --help were computed apart from this program.
    assertThat(ended.lines()).containsExactly("a\t44", "\t5", "@x\t37", "-x\t0", "--help\t28");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.status()).isZero();
  }

  @Test
  void partition_ofAnIdBeyondAscii_printsItBack() throws Exception {
    // This JVM's own locale may be unable to hand over such an argument: a shell makes it.
    List<String> command = new ArrayList<>(List.of("bash", "-c"));
    command.add("LC_ALL=C.UTF-8 exec \"$@\" partition \"$(printf 'W\\303\\244rme-1')\"");
    command.add("bash");
    command.addAll(WeirProcess.command());
    WeirProcess.Ended ended = WeirProcess.ended(new ProcessBuilder(command).start());
    assertThat(ended.out()).isEqualTo("W\u00e4rme-1\t9\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bogus",
        "partition",
        "partition --bogus a",
        "tail",
        "tail everything",
        "tail windows -n 0",
        "tail windows -n many",
        "help everything",
        "gateways",
        "gateways check",
        "gateways check no-such.yaml",
        "gateways check g.yaml --gateway g",
        "sniff",
        "edge --delimiter ab",
        "edge --columns tag=Tag",
        "edge --time-format yesterday",
        "edge --time-zone Nowhere/Atall --time-format iso",
        "edge --mapping no-such.yaml",
        "edge --split vib-1",
        "edge --split vib-1=1",
        "edge --split vib-1=65",
        "edge --split vib-1=8 --ledger l a.csv",
        "hot --top 0",
        "plan",
        "plan --rate 2M/s",
        "plan --rate many --sensors 1",
        "plan --rate 1 --sensors 1 --statistics all",
        "plan --rate 1 --sensors 1 --brokers 2",
        "edge --format line --wide",
        "broker --port 65536",
        "broker --for ever",
        "check-gateway --port 65536",
        "check-gateway --records 0",
        "check-gateway --kill -1",
        "check-gateway gateway.py",
        "edge --format csv --precision ms",
        "topics --bootstrap-servers nowhere",
        "redrive",
        "redrive windows",
        "redrive late --reason FENCED",
        "redrive dead-letters --reason BECAUSE",
        "redrive late --since yesterday",
        "redrive late --since 1h --until 2h",
      })
  void wrongUsage_ofAnyKind_isOneLineAndStatusTwo(String line) {
    WeirProcess.Ended ended = runHere(line.isEmpty() ? new String[0] : line.split(" "));
    assertThat(ended.err().lines()).singleElement().asString().startsWith("weir");
    assertThat(ended.out()).isEmpty();
    assertThat(ended.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "help",
        "help replay",
        "sniff --help",
        "partition --help",
        "tail -h",
        "topics --help",
        "redrive --help",
        "evict --help",
        "accept-loss --help",
        "broker -h",
        "check-gateway --help"
      })
  void help_ofEveryCommand_isAResultWithExamples(String line) {
    WeirProcess.Ended ended = runHere(line.split(" "));
    assertThat(ended.out()).startsWith("Usage: weir").contains("  weir ");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.status()).isZero();
  }

  @Test
  void gatewaysCheck_printsEntries_andAnswers() throws Exception {
    Path file = dir.resolve("gateways.yaml");
    Files.writeString(file, "gateways: [{gateway: 'line-*', sensors: ['{gateway}/*']}]");
    WeirProcess.Ended all = CommandHost.shared().run("gateways", "check", file.toString());
    assertThat(all.lines())
        .containsExactly("  line-*: 1 pattern", file + ": entries: 1, all valid");
    WeirProcess.Ended asked =
        CommandHost.shared()
            .run(
                "gateways",
                "check",
                file.toString(),
                "--gateway",
                "line-7",
                "line-7/t",
                "line-8/t");
    assertThat(asked.lines()).containsExactly("line-7/t\tok", "line-8/t\tNOT_ITS_SENSOR");
    assertThat(asked.status()).isEqualTo(1);
    Files.writeString(file, "gateways: [{gateway: a, sensors: [a], revoked: maybe}]");
    WeirProcess.Ended wrong = runHere("gateways", "check", file.toString());
    assertThat(wrong.err())
        .isEqualTo(
            "weir gateways check: weir.gateways.file="
                + file
                + ", line 1, column 48: gateway a: revoked=maybe: expected: true or false\n");
    assertThat(wrong.status()).isEqualTo(2);
  }

  @Test
  void version_isAResult() {
    assertThat(runHere("--version").out()).startsWith("weir ");
  }

  @Test
  void configFile_withAnUnknownKey_namesIt() throws Exception {
    Path file = Files.writeString(dir.resolve("weir.properties"), "weir.window.sice = 10s\n");
    WeirProcess.Ended ended = runHere("topics", "--config", file.toString());
    assertThat(ended.err())
        .isEqualTo(
            "weir topics: weir.window.sice = 10s (from the properties file): no such key; the"
                + " nearest is weir.window.size\n");
    assertThat(ended.status()).isEqualTo(2);
  }

  @Test
  void broker_forAWhile_printsItsAddressAndEndsWell() throws Exception {
    Path data = dir.resolve("data");
    WeirProcess.Ended ended =
        WeirProcess.run("broker", "--port", "0", "--data", data.toString(), "--for", "0s");
    assertThat(ended.out()).matches("127\\.0\\.0\\.1:\\d+\n");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.status()).isZero();
    assertThat(data.resolve("meta.properties")).exists();
  }

  @Test
  void broker_onAPortThatIsTaken_saysWhatToDoInALine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      WeirProcess.Ended ended = runHere("broker", "--port", "" + taken.getLocalPort());
      assertThat(ended.err().lines())
          .singleElement()
          .asString()
          .contains("port " + taken.getLocalPort(), "in use", "--port names another");
      assertThat(ended.status()).isEqualTo(1);
    }
  }

  @Test
  void broker_onSigterm_endsWellAndLeavesNothing() throws Exception {
    Process broker = WeirProcess.start("broker", "--port", "0");
    assertThat((char) broker.getInputStream().read()).isEqualTo('1');
    broker.toHandle().destroy(); // Unlike broker.destroy() it leaves the streams open.
    assertThat(WeirProcess.ended(broker).status()).isZero();
  }

  /** Its batches have always the same size: what a smaller limit would refuse is said before. */
  @Test
  void edgeLedger_underASmallerBatchLimit_namesTheKey() throws Exception {
    Path config = dir.resolve("weir.properties");
    Files.writeString(config, "weir.max.batch.readings=500\nweir.batch.max.readings=500\n");
    WeirProcess.Ended ended =
        runHere("edge", "--config", config.toString(), "--ledger", dir + "/ledger", "a.csv");
    assertThat(ended.err()).contains("weir.max.batch.readings = 500").contains("1000 or more");
    assertThat(ended.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--rollups=1m, --rollups needs --rollups-out FILE",
    "--hopping=1m, --hopping needs --hopping-out FILE",
    "--hopping-out=h.csv, '--hopping-out needs --hopping, as in --hopping 5m'",
    "--rollups-out=rollups.csv, '--rollups-out needs --rollups, as in --rollups 1m,1h'",
  })
  void replay_longerSpansWithoutAFile_orAFileWithoutThem_saysWhatIsMissing(
      String option, String missing) {
    WeirProcess.Ended ended = runHere("replay", option, "-");
    assertThat(ended.err()).contains(": " + missing + " (see");
    assertThat(ended.status()).isEqualTo(2);
  }

  @Test
  void replay_stoppedWhileItStarts_endsWithoutATrace() throws Exception {
    Path rejects = dir.resolve("rejects");
    Process replay = WeirProcess.start("replay", "-", "--rejects", rejects.toString());
    while (replay.isAlive() && Files.notExists(rejects)) {
      Await.pause();
    }
    replay.toHandle().destroy();

    WeirProcess.Ended ended = WeirProcess.ended(replay);
    assertThat(ended.err()).doesNotContain("\tat ");
    assertThat(ended.out()).isEmpty();
    assertThat(ended.status()).isEqualTo(1);
  }

  /** Runs a command that prints no results within this JVM, which is quicker. */
  static WeirProcess.Ended runHere(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Weir.commandLine(arguments)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    StopSignal.ended(status); // The end of this JVM need not wait for a command that ran in it.
    return new WeirProcess.Ended(status, out.toString(), err.toString());
  }
}

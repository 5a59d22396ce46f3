package io.weir.internal.input.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.examples.Tool;
import io.weir.internal.input.InputMetrics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other people's clients for JavaScript write over real connections, if npm can install them. */
@Timeout(300)
class ClientsOfNodeTest {
  private InputServer server;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void influxsClient_hearsOfBadLines_andTheOthersAreStored() throws Exception {
    server = InputServer.influx();
    assertThat(influx("m v=1 1700000000000", "m v=oops 1700000000001", "n v=2 1700000000000"))
        .contains("1 of 3 lines refused: line 2");
    assertThat(server.readings()).containsExactly("m v@1700000000000=1.0", "n v@1700000000000=2.0");
  }

  @Test
  void influxsClient_drops503AfterFiveRepeats() throws Exception {
    server = InputServer.influx();
    server.sink().room(false);
    assertThat(influx("m v=1 1700000000000")).contains("503");
    assertThat(server.count(InputMetrics.REQUESTS, "status", "503")).isEqualTo(1 + 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "proto"})
  void openTelemetry_writes(String kind) throws Exception {
    server = InputServer.otlp();
    run("otlp.js", kind, url() + "/v1/metrics");
    assertThat(server.readings().stream().map(each -> each.replaceAll("@[0-9+]+", "")))
        .contains("pump.starts{line=\"3\"}=3.0", "pump.temperature{line=\"3\"}=71.5");
  }

  private String influx(String... lines) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(url()));
    arguments.addAll(List.of(lines));
    return run("influx.js", arguments.toArray(String[]::new));
  }

  private String url() {
    return server.request("").build().uri().toString();
  }

  private static String run(String script, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("node", Tool.node("peers").resolve(script).toString()));
    command.addAll(List.of(arguments));
    Tool.Ended ended = Tool.run(command, "");
    assertThat(ended.status()).as(ended.err()).isZero();
    return ended.out();
  }
}

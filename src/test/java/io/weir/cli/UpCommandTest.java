package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.weir.Await;
import io.weir.internal.app.WeirConfig;
import io.weir.lab.hostile.ScriptedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reading that is sent to {@code weir up} is a sensor on its page, with a window to explain. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class UpCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SENSOR = "boiler,line=3 temperature";

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path dir;

  /** Its addresses, by the words before them. */
  private static Map<String, String> addresses(BufferedReader out) throws IOException {
    Map<String, String> addresses = new HashMap<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      String[] words = line.split(" {2,}");
      addresses.put(words[0], words[1]);
      if (words[0].equals("stop")) {
        return addresses;
      }
    }
    throw new AssertionError("weir up has ended");
  }

  private Process start(String... more) throws IOException {
    List<String> arguments =
        List.of(
            "up",
            "--data",
            dir.resolve("data").toString(),
            "--listen",
            "127.0.0.1:0",
            "--page",
            "127.0.0.1:0",
            "--kafka-port",
            "0",
            "--window-size",
            "1s",
            "--rollups",
            "1m");
    return WeirProcess.builder(
            Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private JsonNode get(String uri) throws Exception {
    return JSON.readTree(
        client
            .send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
            .body());
  }

  private static void stop(Process up) throws InterruptedException {
    up.destroy();
    assertThat(up.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(up.exitValue()).isZero();
  }

  @Test
  void refusedLoginAtTheMqttBroker_endsIt_withOneLine() throws Exception {
    try (ScriptedBroker broker = new ScriptedBroker()) {
      broker.connectCode = 5; // Not authorised.
      WeirProcess.Ended up =
          WeirProcess.run(
              "up",
              "--data",
              dir.resolve("data").toString(),
              "--listen",
              "127.0.0.1:0",
              "--page",
              "127.0.0.1:0",
              "--kafka-port",
              "0",
              "--mqtt",
              "tcp://127.0.0.1:" + broker.port(),
              "--mqtt-topics",
              "plant/#");
      assertThat(up.status()).isEqualTo(1);
      assertThat(up.out())
          .contains("InfluxDB v1 and v2, Prometheus remote write, OTLP")
          .contains("read from  tcp://127.0.0.1:" + broker.port());
      assertThat(up.err()).contains("weir up: the MQTT broker refuses client id weir-up");
    }
  }

  /** The printed settings are a file that the services take, and nothing was started or made. */
  @Test
  void printedServices_areSettingsCommandsAndValues() throws Exception {
    Path data = dir.resolve("none");
    WeirProcess.Ended up =
        CommandHost.shared()
            .run(
                "up",
                "--print-services",
                "--data",
                data.toString(),
                "--window-size",
                "2s",
                "--mqtt",
                "tcp://broker:1883",
                "--mqtt-topics",
                "plant/#");
    assertThat(up.status()).isZero();
    assertThat(data).doesNotExist();
    String[] parts = up.out().split("(?m)^$\\n");
    Properties printed = new Properties();
    printed.load(new StringReader(parts[0]));
    WeirConfig config = WeirConfig.of(printed, Map.of(), Map.of());
    assertThat(config.windows().size()).hasSeconds(2);
    assertThat(config.windows().rollups().sizesMs()).containsExactly(60_000L, 3_600_000L);
    assertThat(config.input().mqtt()).isPresent();
    assertThat(parts[1].lines().skip(1))
        .containsExactly(
            "weir topics --config weir.properties",
            "weir run --config weir.properties",
            "weir edge --config weir.properties",
            "weir serve --config weir.properties");
    JsonNode values = new ObjectMapper(new YAMLFactory()).readTree(parts[2]);
    assertThat(values.at("/config/weir.bootstrap.servers").asText()).isEqualTo("127.0.0.1:9092");
    assertThat(values.at("/config/weir.window.size").asText()).isEqualTo("2s");
    assertThat(values.get("config").toString()).doesNotContain(data.toString());
    assertThat(values.at("/config/weir.mqtt.topics").asText()).isEqualTo("plant/#");
    assertThat(values.at("/edge/listen/0").asInt()).isEqualTo(8086);
    assertThat(values.at("/serve/enabled").asBoolean()).isTrue();
  }

  @Test
  void aReading_isASensorOnThePage_andIsThereAfterARestart() throws Exception {
    Path file = dir.resolve("readings.csv");
    Files.writeString(
        file,
        """
        sensor_id,timestamp_ms,value
        played,1700000000000,1
        played,1700000000500,2
        played,1700000001000,3
        """);
    Process up = start("--play", "60x", file.toString());
    try (BufferedReader out = up.inputReader(StandardCharsets.UTF_8)) {
      Map<String, String> at = addresses(out);
      int written =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(at.get("write to") + "/write"))
                      .POST(BodyPublishers.ofString("boiler,line=3 temperature=71.5"))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode();
      assertThat(written).isEqualTo(204);
      String sensors = at.get("page") + "/api/v1/sensors";
      Await.until(() -> get(sensors).at("/sensors/0/newest/count").asInt() == 1);
      JsonNode sensor = get(sensors).at("/sensors/0");
      assertThat(sensor.path("sensor_id").asText()).isEqualTo(SENSOR);

      String why =
          at.get("page")
              + "/api/v1/explain?id=boiler%2Cline%3D3%20temperature&start="
              + sensor.at("/newest/window_start_ms").asLong();
      assertThat(get(why).path("verdict").asText()).as(get(why).toString()).isEqualTo("matches");
      String played = at.get("page") + "/api/v1/windows?id=played&from=0";
      Await.until(() -> get(played).get("windows").size() == 2);
      assertThat(get(played).at("/windows/0/count").asInt()).isEqualTo(2);
      assertThat(get(played).at("/windows/0/window_start_ms").asLong())
          .isEqualTo(1_700_000_000_000L);
      stop(up);
    } finally {
      up.destroyForcibly();
    }
    Process again = start();
    try (BufferedReader out = again.inputReader(StandardCharsets.UTF_8)) {
      String sensors = addresses(out).get("page") + "/api/v1/sensors";
      Await.until(() -> get(sensors).at("/sensors/0/newest/count").asInt() == 1);
      stop(again);
    } finally {
      again.destroyForcibly();
    }
  }
}

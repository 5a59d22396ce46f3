package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Await;
import java.io.BufferedReader;
import java.io.IOException;
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

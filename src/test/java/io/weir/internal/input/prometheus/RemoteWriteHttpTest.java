package io.weir.internal.input.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.input.Clients;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.http.InputServer;
import io.weir.internal.input.prometheus.RemoteWriteSettings.NonFinite;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xerial.snappy.Snappy;

@Timeout(120)
class RemoteWriteHttpTest {
  private static final String WRITE = "/api/v1/write";
  private static final String VERSION_2 =
      "application/x-protobuf;proto=io.prometheus.write.v2.Request";

  private InputServer server;

  @TempDir private Path dir;

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void samples_areWritten_andTheHeadersSayHowMany() throws Exception {
    storing();
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(
        Map.of("__name__", "up", "job", "a"), List.of(new double[] {1, 1}, new double[] {2, 0}));
    request.histogram(Map.of("__name__", "latency"), 7, 1.5, 9);

    HttpResponse<byte[]> answer = send(request, "application/x-protobuf");

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(written(answer)).containsExactly("2", "1", "0");
    List<String> readings =
        List.of(
            "up{job=\"a\"}@1=1.0",
            "up{job=\"a\"}@2=0.0",
            "latency_count@9=7.0",
            "latency_sum@9=1.5");
    assertThat(server.readings()).isEqualTo(readings);

    HttpResponse<byte[]> repeat = send(request, "application/x-protobuf");
    assertThat(repeat.statusCode()).isEqualTo(204);
    assertThat(written(repeat)).as("a repeat is taken too").containsExactly("2", "1", "0");
    assertThat(server.readings()).isEqualTo(readings);
    assertThat(server.count(InputMetrics.READINGS, "outcome", "duplicate")).isEqualTo(4);
    assertThat(server.count(InputMetrics.REQUESTS, "input", "remote_write")).isEqualTo(2);
  }

  /** Of both versions the same series is the same sensor. */
  @Test
  void version2_isByContentType() throws Exception {
    storing();
    RemoteWriteRequest request = new RemoteWriteRequest(true);
    request.series(Map.of("__name__", "up"), List.of(new double[] {1, 1}));

    assertThat(send(request, VERSION_2).statusCode()).isEqualTo(204);
    assertThat(server.readings()).containsExactly("up@1=1.0");
  }

  @Test
  void refusedSamples_are400_whileTheOthersAreWritten() throws Exception {
    storing();
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(Map.of("__name__", "up"), List.of(new double[] {1, 1}, new double[] {0, 1}));
    request.series(Map.of("__name__", "x".repeat(300)), List.of(new double[] {1, 1}));

    HttpResponse<byte[]> answer = send(request, "application/x-protobuf");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    assertThat(new String(answer.body(), UTF_8))
        .isEqualTo(
            "2 of 3 samples refused: INVALID_TIMESTAMP 1 SENSOR_ID_TOO_LONG 1; first: series 1\n");
    assertThat(written(answer)).containsExactly("1", "0", "0");
    assertThat(server.readings()).containsExactly("up@1=1.0");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /api/v1/push, '', snappy, 204",
    "POST, /api/v1/write, application/x-protobuf, '', 204",
    "POST, /api/v1/write, application/x-protobuf;proto=prometheus.WriteRequest, snappy, 204",
    "POST, /api/v1/write, application/x-protobuf;proto=other, snappy, 415",
    "POST, /api/v1/write, application/json, snappy, 415",
    "POST, /api/v1/write, application/x-protobuf, gzip, 415",
    "POST, /api/v1/write, application/x-protobuf, zstd, 415",
    "GET, /api/v1/write, application/x-protobuf, snappy, 405",
    "POST, /api/v1/read, application/x-protobuf, snappy, 404"
  })
  void statuses(String method, String path, String type, String encoding, int status)
      throws Exception {
    storing();
    HttpRequest.Builder request = server.request(path);
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    if (!encoding.isEmpty()) {
      request.header("Content-Encoding", encoding);
    }
    byte[] empty = Snappy.compress(new byte[0]);
    request.method(method, HttpRequest.BodyPublishers.ofByteArray(empty));

    assertThat(server.send(request.build()).statusCode()).isEqualTo(status);
  }

  @Test
  void damagedBodies_are400_andBombs413() throws Exception {
    storing();
    assertThat(post(new byte[0]).statusCode()).isEqualTo(400);
    assertThat(post("no snappy".getBytes(UTF_8)).statusCode()).isEqualTo(400);
    assertThat(post(Snappy.compress(new byte[] {1, 2, 3})).statusCode()).isEqualTo(400);
    assertThat(post(Snappy.compress(new byte[3 << 20])).statusCode()).isEqualTo(413);
    byte[] large = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07};
    assertThat(post(large).statusCode()).as("2 GB of nothing").isEqualTo(400);
    assertThat(server.readings()).isEmpty();
    Await.until(() -> server.requestsInFlight() == 0);
  }

  @Test
  void withoutRoomOrInTime_is503_withRetryAfter() throws Exception {
    server = start(Duration.ofMillis(100), InputServer.everyone());
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(Map.of("__name__", "up"), List.of(new double[] {1, 1}));
    HttpResponse<byte[]> late = send(request, "application/x-protobuf");
    assertThat(late.statusCode()).isEqualTo(503);
    assertThat(late.headers().firstValue("Retry-After")).contains("5");

    server.sink().room(false);
    assertThat(send(request, "application/x-protobuf").statusCode()).isEqualTo(503);

    server.sink().room(true);
    server.store();
    Await.until(() -> send(request, "application/x-protobuf").statusCode() == 204);
    assertThat(server.readings()).containsExactly("up@1=1.0");
  }

  @Test
  void clients_writeTheirSensorsByTheirTemplate() throws Exception {
    Path file = dir.resolve("clients.yaml");
    Files.writeString(
        file,
        "clients:\n  - name: a\n    token-sha256: "
            + Clients.hash("T")
            + "\n    sensors: [\"plant/*\"]\n    sensor-id: \"{label:site}/{name}\"\n");
    Set<String> parts = RemoteWriteSettings.PARTS;
    server =
        start(
            Duration.ofSeconds(60), Clients.open(Optional.of(file), Set.of("remote-write"), parts));
    server.store();
    RemoteWriteRequest request = new RemoteWriteRequest(false);
    request.series(Map.of("__name__", "up", "site", "plant"), List.of(new double[] {1, 1}));
    request.series(Map.of("__name__", "up", "site", "other"), List.of(new double[] {1, 1}));
    request.series(Map.of("__name__", "up"), List.of(new double[] {1, 1}));

    HttpResponse<byte[]> answer =
        server.send(builder(request.bytes()).header("Authorization", "Bearer T").build());

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new String(answer.body(), UTF_8))
        .startsWith("2 of 3 samples refused: MISSING_SENSOR_ID 1 NOT_ITS_SENSOR 1;");
    assertThat(server.readings()).containsExactly("plant/up@1=1.0");
    assertThat(post(request.bytes()).statusCode()).isEqualTo(401);
  }

  /** The room of a body is given back when its connection goes. */
  @Test
  void brokenOffBodies_giveTheirRoomBack() throws Exception {
    storing();
    for (int i = 0; i < 20; i++) {
      try (Socket socket = server.connect()) {
        String head =
            "POST /api/v1/write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n";
        socket.getOutputStream().write((head + "x".repeat(5_000)).getBytes(UTF_8));
        socket.getOutputStream().flush();
      }
    }
    Await.until(() -> server.requestsInFlight() == 0);
    assertThat(send(new RemoteWriteRequest(false), "application/x-protobuf").statusCode())
        .isEqualTo(204);
  }

  private void storing() throws Exception {
    server = start(Duration.ofSeconds(60), InputServer.everyone());
    server.store();
  }

  private static InputServer start(Duration ackTimeout, Clients clients) throws Exception {
    return new InputServer(
        InputServer.limits(ackTimeout, 4),
        clients,
        (intake, metrics, maxDecodedBytes) ->
            new RemoteWriteInput(
                intake,
                new RemoteWriteSettings(
                    SensorTemplate.parse("{series}", RemoteWriteSettings.PARTS),
                    NonFinite.SKIP,
                    Histograms.COUNT_SUM,
                    false),
                metrics,
                maxDecodedBytes));
  }

  private HttpRequest.Builder builder(byte[] bytes) throws Exception {
    return server
        .request(WRITE)
        .header("Content-Encoding", "snappy")
        .POST(HttpRequest.BodyPublishers.ofByteArray(Snappy.compress(bytes)));
  }

  private HttpResponse<byte[]> send(RemoteWriteRequest request, String type) throws Exception {
    return server.send(builder(request.bytes()).header("Content-Type", type).build());
  }

  private HttpResponse<byte[]> post(byte[] body) throws Exception {
    return server.send(
        server.request(WRITE).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build());
  }

  private static List<String> written(HttpResponse<byte[]> answer) {
    return List.of("Samples", "Histograms", "Exemplars").stream()
        .map(kind -> "X-Prometheus-Remote-Write-" + kind + "-Written")
        .map(name -> answer.headers().firstValue(name).orElse("none"))
        .toList();
  }
}

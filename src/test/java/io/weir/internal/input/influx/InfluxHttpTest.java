package io.weir.internal.input.influx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.internal.input.Admission;
import io.weir.internal.input.Clients;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.InputLimits;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.http.HttpServer;
import io.weir.internal.input.http.InputService;
import io.weir.internal.input.http.ListenSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** InfluxDB's interface over real connections, in front of a sink that the test holds. */
@Timeout(120)
class InfluxHttpTest {
  private static final InputLimits LIMITS =
      new InputLimits(
          1 << 20, 2 << 20, 4, 8 << 20, 50, Duration.ofSeconds(60), Duration.ofSeconds(60));

  private final HeldSink sink = new HeldSink();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScheduledExecutorService storing =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });
  private HttpServer server;

  @TempDir private Path dir;

  @AfterEach
  void close() {
    storing.shutdownNow();
    server.close();
  }

  /** The answer comes when the reading is stored, and not before. */
  @Test
  void answer_waitsForTheDisk() throws Exception {
    start(LIMITS);
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(post("/write", "a x=1 5000000"), HttpResponse.BodyHandlers.ofString());
    Await.until(() -> sink.taken().size() == 1);
    CompletableFuture<HttpResponse<String>> repeat =
        client.sendAsync(post("/write", "a x=1 5000000"), HttpResponse.BodyHandlers.ofString());
    Await.until(() -> readings("duplicate") == 1);
    assertThat(answer).isNotDone();
    assertThat(repeat).isNotDone();

    sink.store();

    assertThat(answer.get().statusCode()).isEqualTo(204);
    assertThat(answer.get().body()).isEmpty();
    assertThat(answer.get().headers().firstValue("X-Influxdb-Version")).contains("1.8.10");
    assertThat(answer.get().headers().firstValue("X-Influxdb-Build")).contains("Weir");
    assertThat(repeat.get().statusCode()).isEqualTo(204);
    assertThat(sink.taken()).hasSize(1);
  }

  @Test
  void notStoredInTime_is503_andTheRepeatIsADuplicate() throws Exception {
    start(with(Duration.ofMillis(100), 4));
    HttpResponse<String> late = send(post("/api/v2/write?bucket=b&org=o", "a x=1 5000000"));
    assertThat(late.statusCode()).isEqualTo(503);
    assertThat(late.body()).contains("\"code\":\"unavailable\"");
    assertThat(late.headers().firstValue("Retry-After")).isEmpty();

    sink.store();
    assertThat(send(post("/write", "a x=1 5000000")).statusCode()).isEqualTo(204);
    assertThat(sink.taken()).hasSize(1);
  }

  @Test
  void suspended_is503_andNothingIsOffered() throws Exception {
    start(LIMITS);
    sink.room(false);
    assertThat(send(post("/write", "a x=1 5000000")).statusCode()).isEqualTo(503);
    assertThat(send(get("/health")).statusCode()).isEqualTo(503);
    assertThat(send(get("/health")).body()).contains("\"status\":\"fail\"");
    assertThat(send(get("/ping")).statusCode()).isEqualTo(204);
    sink.room(true);
    assertThat(sink.taken()).isEmpty();
    assertThat(send(get("/health")).statusCode()).isEqualTo(200);
  }

  @Test
  void tooManyRequests_are503() throws Exception {
    start(with(Duration.ofSeconds(60), 1));
    CompletableFuture<HttpResponse<String>> first =
        client.sendAsync(post("/write", "a x=1 5000000"), HttpResponse.BodyHandlers.ofString());
    Await.until(() -> sink.taken().size() == 1);
    assertThat(send(post("/write", "b x=1 5000000")).statusCode()).isEqualTo(503);
    sink.store();
    assertThat(first.get().statusCode()).isEqualTo(204);
    Await.until(() -> send(get("/ping")).statusCode() == 204);
  }

  /** More of them than there may be requests. */
  @Test
  void slowBodies_leaveRoomForANeighbour() throws Exception {
    startStoring();
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Socket each = new Socket(InetAddress.getLoopbackAddress(), server.port());
        slow.add(each);
        each.getOutputStream()
            .write(
                "POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\na"
                    .getBytes(UTF_8));
        each.getOutputStream().flush();
      }
      assertThat(send(post("/write", "b x=1 5000000")).statusCode()).isEqualTo(204);
    } finally {
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  @Test
  void partOfTheLinesRefused_is400_whileTheOthersAreStored() throws Exception {
    startStoring();
    HttpResponse<String> answer = send(post("/write", "a x=1 5000000\nbad\nb x=2 5000000"));

    assertThat(answer.statusCode()).isEqualTo(400);
    String message = "\"partial write: 1 of 3 lines refused: line 2: MALFORMED_LINE; dropped=1\"";
    assertThat(answer.body())
        .isEqualTo("{\"code\":\"invalid\",\"message\":" + message + ",\"error\":" + message + "}");
    assertThat(sink.taken()).hasSize(2);
    List<Path> files;
    try (Stream<Path> all = Files.list(dir.resolve("rejects"))) {
      files = all.toList();
    }
    assertThat(Files.readString(files.get(0)))
        .startsWith("received_ms,input,client,reason,line\n")
        .endsWith(",influx,\"local\",MALFORMED_LINE,\"bad\"\n");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /write, '', 204",
    "POST, /write?precision=ms, a x=1 5, 204",
    "POST, /write?precision=d, a x=1 5, 400",
    "POST, /write?precision=%25, a x=1 5, 400",
    "POST, /write, a s=\"text\", 204",
    "GET, /write, '', 405",
    "DELETE, /api/v2/write, '', 405",
    "POST, /api/v2/query, '', 404",
    "GET, /nothing, '', 404",
    "GET, /ping, '', 204",
    "HEAD, /ping, '', 204",
    "GET, /ping?verbose=true, '', 200",
    "GET, /ready, '', 200",
    "GET, /health, '', 200",
    "GET, /query?q=SHOW%20DATABASES, '', 200",
    "POST, /query?q=CREATE%20DATABASE%20%22telegraf%22, '', 200",
    "POST, /query, q=CREATE+DATABASE+telegraf, 200",
    "GET, /query?q=SELECT%20*%20FROM%20cpu, '', 400"
  })
  void statuses(String method, String path, String body, int status) throws Exception {
    startStoring();
    HttpRequest request =
        request(path)
            .method(method, HttpRequest.BodyPublishers.ofString(body == null ? "" : body))
            .build();
    HttpResponse<String> answer = send(request);

    assertThat(answer.statusCode()).isEqualTo(status);
    if (status >= 400) {
      assertThat(answer.body()).startsWith("{\"code\":").contains("\"error\":");
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }
  }

  @Test
  void showDatabases_namesThem() throws Exception {
    startStoring();

    assertThat(send(get("/query?q=show%20databases")).body())
        .isEqualTo(
            "{\"results\":[{\"statement_id\":0,\"series\":[{\"name\":\"databases\","
                + "\"columns\":[\"name\"],\"values\":[[\"_internal\"],[\"weir\"]]}]}]}");
  }

  @Test
  void spacesInAQuery_areLookedAtOnce() throws Exception {
    startStoring();
    CountedText text = new CountedText("show databases" + " ".repeat(10_000) + "x");
    assertThat(InfluxInput.SHOW_DATABASES.matcher(text).matches()).isFalse();
    assertThat(text.looks).isLessThan(50_000);
    assertThat(InfluxInput.SHOW_DATABASES.matcher("\tShow \n databases ; ").matches()).isTrue();
  }

  private static final class CountedText implements CharSequence {
    private final String text;
    private int looks;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      looks++;
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }
  }

  /** Its parameters would take fifty times their bytes. */
  @Test
  void queryWithALargeForm_isRefusedUnread() throws Exception {
    startStoring();

    assertThat(send(post("/query", "q=create+database+x&" + "a&".repeat(10_000))).statusCode())
        .isEqualTo(400);
    assertThat(send(post("/query", "q=create+database+x&" + "a&".repeat(100))).statusCode())
        .isEqualTo(200);
  }

  @Test
  void gzip_isDecompressed_andWhatIsNoneOrCutOffIs400() throws Exception {
    startStoring();
    byte[] gzip = gzip("a x=1 5000000\n".getBytes(UTF_8));
    assertThat(send(post("/write", gzip, "gzip")).statusCode()).isEqualTo(204);
    assertThat(send(post("/write", gzip, "x-gzip")).statusCode()).isEqualTo(204);
    assertThat(send(post("/write", gzip, "br")).statusCode()).isEqualTo(415);
    assertThat(send(post("/write", "a x=1 5".getBytes(UTF_8), "gzip")).statusCode()).isEqualTo(400);
    for (int length = 0; length < gzip.length; length++) {
      byte[] cut = Arrays.copyOf(gzip, length);
      assertThat(send(post("/write", cut, "gzip")).statusCode()).as("" + length).isEqualTo(400);
    }
    assertThat(sink.taken()).hasSize(1);
  }

  @Test
  void emptyMembersOfGzip_areNothing() throws Exception {
    startStoring();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(gzip("a x=1 5000000\n".getBytes(UTF_8)));
    byte[] empty = gzip(new byte[0]);
    for (int member = 0; member < 50_000; member++) {
      body.write(empty);
    }
    assertThat(send(post("/write", body.toByteArray(), "gzip")).statusCode()).isEqualTo(204);
    assertThat(sink.taken()).hasSize(1);
  }

  @Test
  void bombs_andLargeBodies_are413() throws Exception {
    startStoring();
    byte[] bomb = gzip(new byte[64 << 20]);
    assertThat(send(post("/write", bomb, "gzip")).statusCode()).isEqualTo(413);
    HttpResponse<String> large = send(post("/write", new byte[3 << 20], "identity"));
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(large.body()).contains("\"code\":\"request too large\"");
    assertThat(send(post("/write", "a x=1 5000000")).statusCode()).isEqualTo(204);
  }

  /** All bytes of requests in flight are given back, however the requests end. */
  @Test
  void brokenOffBodies_giveTheirRoomBack() throws Exception {
    startStoring();
    for (int i = 0; i < 20; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket
            .getOutputStream()
            .write(
                ("POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
                        + "a x=1".repeat(1_000))
                    .getBytes(UTF_8));
        socket.getOutputStream().flush();
      }
    }
    Await.until(() -> registry.get(InputMetrics.REQUESTS_IN_FLIGHT).gauge().value() == 0);
    assertThat(send(post("/write", "a x=1 5000000")).statusCode()).isEqualTo(204);
    assertThat(sink.taken()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "POST /write HTTP/1.1|Host: evil.example|Content-Length: 0||, 403",
    "POST /write HTTP/1.1|Host: localhost:8086|Content-Length: 0||, 204",
    "POST /write HTTP/1.1|Host: [::1]:8086|Content-Length: 0||, 204",
    "POST /write HTTP/1.1|Host: localhost.evil.example|Content-Length: 0||, 403",
    "POST /write HTTP/1.1|Host: 127.0.0.1|Origin: http://evil.example|Content-Length: 0||, 403",
    "POST /write HTTP/1.1|Host: 127.0.0.1|Origin: null|Content-Length: 0||, 403",
    "POST /write HTTP/1.1|Host: 127.0.0.1|Origin: http://localhost:3000|Content-Length: 0||, 204",
    "GARBAGE||, 400"
  })
  void rawRequests(String request, int status) throws Exception {
    startStoring();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.replace("|", "\r\n").getBytes(UTF_8));
      socket.getOutputStream().flush();
      assertThat(statusLine(socket.getInputStream())).startsWith("HTTP/1.1 " + status);
    }
  }

  @Test
  void longTargets_are414_andLongHeaders431_withJson() throws Exception {
    startStoring();
    HttpResponse<String> target = send(get("/write?db=" + "x".repeat(9_000)));
    assertThat(target.statusCode()).isEqualTo(414);
    assertThat(target.body()).startsWith("{\"code\":");
    HttpResponse<String> headers =
        send(request("/ping").header("X-Long", "x".repeat(20_000)).GET().build());
    assertThat(headers.statusCode()).isEqualTo(431);
    assertThat(headers.body()).startsWith("{\"code\":");
  }

  @Test
  void credentials_inAllForms() throws Exception {
    Path file = dir.resolve("clients.yaml");
    Files.writeString(
        file,
        "clients:\n  - name: a\n    token-sha256: "
            + Clients.hash("T")
            + "\n  - name: b\n    token-sha256: "
            + Clients.hash("U")
            + "\n    inputs: [other]\n");
    start(LIMITS, Clients.open(Optional.of(file), Set.of("influx", "other"), Set.of()));
    storeAlways();
    List<String> good = List.of("Token T", "token T", "Token user:T", "Bearer T", "Basic dXNlcjpU");
    for (String authorization : good) {
      assertThat(write(authorization, "").statusCode()).as(authorization).isEqualTo(204);
    }
    assertThat(write(null, "?u=user&p=T").statusCode()).isEqualTo(204);
    for (String authorization : List.of("Token t", "Bearer", "Basic ?", "T")) {
      HttpResponse<String> answer = write(authorization, "");
      assertThat(answer.statusCode()).as(authorization).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"weir\"");
    }
    assertThat(write(null, "").statusCode()).isEqualTo(401);
    assertThat(write("Token U", "").statusCode()).isEqualTo(403);
    assertThat(send(get("/ping")).statusCode()).isEqualTo(204);
  }

  private HttpResponse<String> write(String authorization, String query) throws Exception {
    HttpRequest.Builder request =
        request("/write" + query).POST(HttpRequest.BodyPublishers.ofString("a x=1 5000000"));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return send(request.build());
  }

  private void startStoring() throws IOException {
    start(LIMITS);
    storeAlways();
  }

  private void storeAlways() {
    storing.scheduleWithFixedDelay(sink::store, 0, 1, TimeUnit.MILLISECONDS);
  }

  private static InputLimits with(Duration ackTimeout, int maxRequests) {
    return new InputLimits(
        1 << 20, 2 << 20, maxRequests, 8 << 20, 50, Duration.ofSeconds(60), ackTimeout);
  }

  private void start(InputLimits limits) throws IOException {
    start(limits, Clients.open(Optional.empty(), Set.of(), Set.of()));
  }

  private void start(InputLimits limits, Clients clients) throws IOException {
    Identities identities =
        new Identities(
            new IdentitySettings(true, 8 << 20, 0, IdentitySettings.Collisions.COUNT, 16_384));
    Intake intake = new Intake(sink, identities, 256, limits.ackTimeout().toNanos());
    Admission admission = new Admission(limits);
    InputMetrics metrics = new InputMetrics(registry);
    metrics.show(intake, admission);
    InfluxSettings settings =
        new InfluxSettings(
            SensorTemplate.parse("{series} {field}", InfluxSettings.PARTS),
            InfluxSettings.MissingTime.ARRIVAL,
            List.of("_internal", "weir"));
    InfluxInput influx =
        new InfluxInput(
            intake,
            settings,
            new Rejects(Optional.of(dir.resolve("rejects"))),
            metrics,
            limits.maxDecodedBytes());
    server =
        HttpServer.start(
            new ListenSettings(
                List.of("127.0.0.1:0"),
                Optional.empty(),
                limits.maxConnections(),
                limits.idleTimeout()),
            new InputService(
                List.of(influx), clients, admission, sink, metrics, limits.maxBodyBytes()));
  }

  private double readings(String outcome) {
    return registry.find(InputMetrics.READINGS).tag("outcome", outcome).counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private HttpRequest get(String path) {
    return request(path).GET().build();
  }

  private HttpRequest post(String path, String body) {
    return request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build();
  }

  private HttpRequest post(String path, byte[] body, String encoding) {
    return request(path)
        .header("Content-Encoding", encoding)
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String statusLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b > 0 && b != '\r'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString();
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }
}

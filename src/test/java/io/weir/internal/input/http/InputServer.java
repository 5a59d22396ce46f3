package io.weir.internal.input.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.input.Admission;
import io.weir.internal.input.Clients;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.InputLimits;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.InfluxInput;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.otlp.OtlpInput;
import io.weir.internal.input.otlp.OtlpSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One input over real connections, in front of a sink that the test holds, and its client. */
public final class InputServer implements AutoCloseable {
  public static final InputLimits LIMITS =
      new InputLimits(
          1 << 20, 2 << 20, 4, 8 << 20, 50, Duration.ofSeconds(60), Duration.ofSeconds(60));

  private final HeldSink sink = new HeldSink();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;
  private final ScheduledExecutorService storing =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });

  /** Makes the input. */
  @FunctionalInterface
  public interface Factory {
    HttpInput make(Intake intake, InputMetrics metrics, int maxDecodedBytes);
  }

  public InputServer(InputLimits limits, Clients clients, Factory factory) throws IOException {
    Identities identities =
        new Identities(
            new IdentitySettings(true, 8 << 20, 0, IdentitySettings.Collisions.COUNT, 16_384));
    Intake intake = new Intake(sink, identities, 256, limits.ackTimeout().toNanos());
    Admission admission = new Admission(limits);
    InputMetrics metrics = new InputMetrics(registry);
    metrics.show(intake, admission);
    server =
        HttpServer.start(
            new ListenSettings(
                List.of("127.0.0.1:0"),
                Optional.empty(),
                limits.maxConnections(),
                limits.idleTimeout()),
            new InputService(
                List.of(factory.make(intake, metrics, limits.maxDecodedBytes())),
                clients,
                admission,
                sink,
                metrics,
                limits.maxBodyBytes()));
  }

  /** One that stores what it takes, for every client. */
  public static InputServer storing(Factory factory) throws IOException {
    InputServer started = new InputServer(LIMITS, everyone(), factory);
    started.store();
    return started;
  }

  /** The same of InfluxDB's writes. */
  public static InputServer influx() throws IOException {
    return storing(
        (intake, metrics, maxDecodedBytes) ->
            new InfluxInput(
                intake,
                new InfluxSettings(
                    SensorTemplate.parse("{series} {field}", InfluxSettings.PARTS),
                    InfluxSettings.MissingTime.ARRIVAL,
                    List.of("plant")),
                new Rejects(Optional.empty()),
                metrics,
                maxDecodedBytes));
  }

  /** The same of OpenTelemetry's metrics. */
  public static InputServer otlp() throws IOException {
    return storing(
        (intake, metrics, maxDecodedBytes) ->
            new OtlpInput(
                intake,
                new OtlpSettings(
                    SensorTemplate.parse("{series}", OtlpSettings.PARTS),
                    Set.of(),
                    Histograms.COUNT_SUM),
                metrics,
                maxDecodedBytes));
  }

  public static Clients everyone() {
    return Clients.open(Optional.empty(), Set.of(), Set.of());
  }

  /** The same limits with another time and number of requests. */
  public static InputLimits limits(Duration ackTimeout, int maxRequests) {
    return new InputLimits(
        LIMITS.maxBodyBytes(),
        LIMITS.maxDecodedBytes(),
        maxRequests,
        LIMITS.maxInflightBytes(),
        LIMITS.maxConnections(),
        LIMITS.idleTimeout(),
        ackTimeout);
  }

  /** Stores from now on what is taken. */
  public void store() {
    storing.scheduleWithFixedDelay(sink::store, 0, 1, TimeUnit.MILLISECONDS);
  }

  public HeldSink sink() {
    return sink;
  }

  /** Its readings, as {@code id@ms+ns=value}. */
  public List<String> readings() {
    return sink.readings();
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  public HttpResponse<byte[]> send(HttpRequest request) throws Exception {
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  /** A connection of its own. */
  public Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  /** The sum of a counter with a label. */
  public double count(String name, String label, String value) {
    return registry.find(name).tag(label, value).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  public double requestsInFlight() {
    return registry.get(InputMetrics.REQUESTS_IN_FLIGHT).gauge().value();
  }

  @Override
  public void close() {
    storing.shutdownNow();
    server.close();
  }
}

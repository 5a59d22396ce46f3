package io.weir.internal.input.influx;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.ArrivalClock;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.http.Credentials;
import io.weir.internal.input.http.HttpHead;
import io.weir.internal.input.http.HttpInput;
import io.weir.internal.input.http.HttpReply;
import io.weir.internal.input.http.RefusedRequestException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** InfluxDB's HTTP interface as far as senders need it, versions 1 and 2. Thread-safe. */
public final class InfluxInput implements HttpInput {
  public static final String NAME = "influx";

  private static final String VERSION = "1.8.10";
  private static final Pattern CHANGES =
      Pattern.compile("\\s*(create|drop|alter)\\s.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Possessive, because it is matched against what a sender chooses. */
  static final Pattern SHOW_DATABASES =
      Pattern.compile("\\s*+show\\s++databases\\s*+;?+\\s*+", Pattern.CASE_INSENSITIVE);

  /** Each parameter takes many times its bytes. */
  private static final int MOST_FORM_BYTES = 16 * 1024;

  private static final Set<String> READS = Set.of("GET", "HEAD");

  private final Intake intake;
  private final InfluxSettings settings;
  private final Rejects rejects;
  private final InputMetrics metrics;
  private final int maxDecodedBytes;
  private final LineSensors sensors;
  private final SensorCache cache = new SensorCache();
  private final ArrivalClock arrivals = new ArrivalClock();
  private final Map<String, Endpoint> endpoints =
      Map.of(
          "/write", new Endpoint(Set.of("POST"), false, this::write),
          "/api/v2/write", new Endpoint(Set.of("POST"), false, this::write),
          "/query", new Endpoint(Set.of("GET", "POST"), false, this::query),
          "/ping", new Endpoint(READS, true, this::ping),
          "/health", new Endpoint(READS, true, this::health),
          "/ready",
              new Endpoint(
                  READS,
                  true,
                  (request, answer) ->
                      answer.accept(HttpReply.json(200, "{\"status\":\"ready\"}"))));

  public InfluxInput(
      Intake intake,
      InfluxSettings settings,
      Rejects rejects,
      InputMetrics metrics,
      int maxDecodedBytes) {
    this.intake = intake;
    this.settings = settings;
    this.rejects = rejects;
    this.metrics = metrics;
    this.maxDecodedBytes = maxDecodedBytes;
    this.sensors = new LineSensors(settings.template());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<Endpoint> find(String path) {
    return Optional.ofNullable(endpoints.get(path));
  }

  @Override
  public HttpReply dressed(HttpReply reply) {
    return reply.with("X-Influxdb-Version", VERSION).with("X-Influxdb-Build", "Weir");
  }

  @Override
  public HttpReply error(HttpHead head, int status, String message) {
    return HttpReply.error(status, message);
  }

  /** Of {@code Token T}, {@code Token user:T}, {@code Bearer T}, Basic, or u and p in the query. */
  @Override
  public Optional<String> token(HttpHead head) {
    Optional<String> header = head.header("Authorization");
    if (header.isEmpty()) {
      try {
        return Optional.ofNullable(head.query().get("p"));
      } catch (RefusedRequestException e) {
        return Optional.empty();
      }
    }
    return Credentials.token(head);
  }

  private void ping(InputRequest request, Consumer<HttpReply> answer) {
    boolean verbose = "true".equals(request.head().query().get("verbose"));
    answer.accept(
        verbose ? HttpReply.json(200, "{\"version\":\"" + VERSION + "\"}") : HttpReply.of(204));
  }

  private void health(InputRequest request, Consumer<HttpReply> answer) {
    boolean accepts = intake.sink().hasRoom();
    answer.accept(
        HttpReply.json(
            accepts ? 200 : 503,
            ("{\"name\":\"influxdb\",\"message\":\"%s\",\"status\":\"%s\",\"checks\":[],"
                    + "\"version\":\"%s\"}")
                .formatted(
                    accepts ? "ready for queries and writes" : "suspended",
                    accepts ? "pass" : "fail",
                    VERSION)));
  }

  private void query(InputRequest request, Consumer<HttpReply> answer) {
    String q = request.head().query().get("q");
    if (q == null) {
      if (request.length() > MOST_FORM_BYTES) {
        throw new RefusedRequestException("Weir takes writes; it answers no queries");
      }
      String form = new String(request.body(), 0, request.length(), UTF_8);
      q = HttpHead.parameters(form).getOrDefault("q", "");
    }
    if (CHANGES.matcher(q).matches()) {
      answer.accept(HttpReply.json(200, "{\"results\":[{\"statement_id\":0}]}"));
    } else if (SHOW_DATABASES.matcher(q).matches()) {
      String values =
          settings.databases().stream()
              .map(name -> "[" + HttpReply.quoted(name) + "]")
              .collect(Collectors.joining(","));
      answer.accept(
          HttpReply.json(
              200,
              ("{\"results\":[{\"statement_id\":0,\"series\":[{\"name\":\"databases\","
                      + "\"columns\":[\"name\"],\"values\":[%s]}]}]}")
                  .formatted(values)));
    } else {
      throw new RefusedRequestException("Weir takes writes; it answers no queries");
    }
  }

  private void write(InputRequest request, Consumer<HttpReply> answer) {
    Map<String, String> query = request.head().query();
    Precision precision = Precision.of(query.getOrDefault("precision", ""));
    InputRequest plain = request.unzipped(maxDecodedBytes);
    String database = query.getOrDefault("db", query.getOrDefault("bucket", ""));
    LineSource source = new LineSource(request.client(), database, query.getOrDefault("rp", ""));
    Delivery delivery = plain.begin(intake);
    LineReport report =
        new LineDecoder(sensors, cache, source, precision, arrivalNanos(), delivery, rejects)
            .decode(plain.body(), plain.length());
    rejects.flush();
    count(delivery, report);
    HttpReply reply =
        report.refusedLines() == 0
            ? HttpReply.of(204)
            : error(request.head(), 400, report.message());
    answerStored(request, delivery, reply, answer);
  }

  private void count(Delivery delivery, LineReport report) {
    metrics.readings(NAME, delivery, report.refusedReadings(), report.skippedLines());
    report.refusals().forEach((reason, readings) -> metrics.refused(NAME, reason, readings));
    if (report.skippedLines() > 0) {
      metrics.skipped(NAME, "strings", report.skippedLines());
    }
    if (report.readingsWithoutTime() > 0) {
      metrics.arrivalTime(NAME, report.readingsWithoutTime());
    }
  }

  /** The time of lines without one. */
  private long arrivalNanos() {
    return settings.missingTime() == InfluxSettings.MissingTime.REFUSE ? -1 : arrivals.nextNanos();
  }
}

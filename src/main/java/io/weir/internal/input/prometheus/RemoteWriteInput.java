package io.weir.internal.input.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.Delivery;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.http.HttpHead;
import io.weir.internal.input.http.HttpInput;
import io.weir.internal.input.http.HttpReply;
import io.weir.internal.input.http.RefusedRequestException;
import io.weir.internal.wire.UndecodableException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Prometheus remote write, versions 1.0 and 2.0. Thread-safe. */
public final class RemoteWriteInput implements HttpInput {
  public static final String NAME = "remote-write";

  private static final Set<String> PATHS = Set.of("/api/v1/write", "/api/v1/push");
  private static final String TYPE = "application/x-protobuf";
  private static final String VERSION_1 = "prometheus.WriteRequest";
  private static final String VERSION_2 = "io.prometheus.write.v2.Request";
  private static final String WRITTEN = "X-Prometheus-Remote-Write-%s-Written";

  private final Intake intake;
  private final RemoteWriteSettings settings;
  private final InputMetrics metrics;
  private final int maxDecodedBytes;
  private final SeriesCache cache = new SeriesCache();
  private final Endpoint endpoint = new Endpoint(Set.of("POST"), false, this::write);

  public RemoteWriteInput(
      Intake intake, RemoteWriteSettings settings, InputMetrics metrics, int maxDecodedBytes) {
    this.intake = intake;
    this.settings = settings;
    this.metrics = metrics;
    this.maxDecodedBytes = maxDecodedBytes;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<Endpoint> find(String path) {
    return PATHS.contains(path) ? Optional.of(endpoint) : Optional.empty();
  }

  @Override
  public HttpReply error(HttpHead head, int status, String message) {
    byte[] text = (message + "\n").getBytes(UTF_8);
    return new HttpReply(status, "text/plain; charset=utf-8", text, Map.of());
  }

  private void write(InputRequest request, Consumer<HttpReply> answer) {
    boolean version2 = isVersion2(request.head().header("Content-Type").orElse(TYPE));
    byte[] body = request.unsnapped(maxDecodedBytes).body();
    Delivery delivery = request.begin(intake);
    SampleReport report;
    try {
      report =
          new RemoteWriteDecoder(settings, cache, request.client(), delivery, version2, body)
              .decode();
    } catch (UndecodableException e) {
      throw new RefusedRequestException(e.getMessage());
    }
    metrics.readings(NAME, delivery, report.refused(), report.skips());
    HttpReply reply =
        report.refused().all() == 0
            ? HttpReply.of(204)
            : error(request.head(), 400, report.message());
    answerStored(request, delivery, written(reply, report), answer);
  }

  /** Says how much was taken, to version 1 too: Prometheus 3 reports failures otherwise. */
  private static HttpReply written(HttpReply reply, SampleReport report) {
    return reply
        .with(WRITTEN.formatted("Samples"), Integer.toString(report.samplesWritten()))
        .with(WRITTEN.formatted("Histograms"), Integer.toString(report.histogramsWritten()))
        .with(WRITTEN.formatted("Exemplars"), Integer.toString(report.exemplarsWritten()));
  }

  private static boolean isVersion2(String contentType) {
    String[] parts = contentType.split(";");
    String message = VERSION_1;
    for (int i = 1; i < parts.length; i++) {
      String[] parameter = parts[i].strip().split("=", 2);
      if (parameter.length == 2 && parameter[0].equalsIgnoreCase("proto")) {
        message = parameter[1].replace("\"", "");
      }
    }
    boolean version2 = message.equals(VERSION_2);
    if (!parts[0].strip().equalsIgnoreCase(TYPE) || !version2 && !message.equals(VERSION_1)) {
      throw new RefusedRequestException(
          415,
          "expected: Content-Type %s, with proto=%s or %s".formatted(TYPE, VERSION_1, VERSION_2));
    }
    return version2;
  }
}

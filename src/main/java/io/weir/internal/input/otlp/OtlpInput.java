package io.weir.internal.input.otlp;

import io.weir.internal.input.Delivery;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.SeriesCache;
import io.weir.internal.input.http.HttpHead;
import io.weir.internal.input.http.HttpInput;
import io.weir.internal.input.http.HttpReply;
import io.weir.internal.input.http.RefusedRequestException;
import io.weir.internal.wire.UndecodableException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Metrics of OTLP over HTTP, in protobuf and JSON. Thread-safe. */
public final class OtlpInput implements HttpInput {
  public static final String NAME = "otlp";

  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";

  private final Intake intake;
  private final OtlpSettings settings;
  private final InputMetrics metrics;
  private final int maxDecodedBytes;
  private final SeriesCache cache = new SeriesCache();
  private final Endpoint endpoint = new Endpoint(Set.of("POST"), false, this::write);

  public OtlpInput(
      Intake intake, OtlpSettings settings, InputMetrics metrics, int maxDecodedBytes) {
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
    return path.equals("/v1/metrics") ? Optional.of(endpoint) : Optional.empty();
  }

  /** A google.rpc.Status. */
  @Override
  public HttpReply error(HttpHead head, int status, String message) {
    if (type(head).equals(JSON)) {
      return HttpReply.json(status, "{\"message\":" + HttpReply.quoted(message) + "}");
    }
    ProtoWriter out = writer();
    out.text(2, message);
    return protobuf(status, out);
  }

  private void write(InputRequest request, Consumer<HttpReply> answer) {
    String type = type(request.head());
    if (!type.equals(JSON) && !type.equals(PROTOBUF)) {
      throw new RefusedRequestException(415, "expected: Content-Type " + PROTOBUF + " or " + JSON);
    }
    InputRequest plain = request.unzipped(maxDecodedBytes);
    byte[] body = plain.body();
    int length = plain.length();
    if (type.equals(JSON)) {
      ProtoWriter out = OtlpJson.protobuf(body, length, plain.take());
      body = out.bytes();
      length = out.length();
    }
    Delivery delivery = plain.begin(intake);
    OtlpReport report;
    try {
      report = new OtlpDecoder(settings, cache, plain.client(), delivery, body, length).decode();
    } catch (UndecodableException e) {
      throw new RefusedRequestException(e.getMessage());
    }
    metrics.readings(NAME, delivery, report.refused(), report.skips());
    answerStored(request, delivery, answer(type, report), answer);
  }

  private static HttpReply answer(String type, OtlpReport report) {
    int refused = report.refused().all();
    if (type.equals(JSON)) {
      return HttpReply.json(
          200,
          refused == 0
              ? "{}"
              : "{\"partialSuccess\":{\"rejectedDataPoints\":\"%d\",\"errorMessage\":%s}}"
                  .formatted(refused, HttpReply.quoted(report.message())));
    }
    ProtoWriter out = writer();
    if (refused > 0) {
      ProtoWriter partial = writer();
      partial.varint(1, refused);
      partial.text(2, report.message());
      out.delimited(1, partial.copy());
    }
    return protobuf(200, out);
  }

  private static ProtoWriter writer() {
    return new ProtoWriter(bytes -> true);
  }

  private static HttpReply protobuf(int status, ProtoWriter out) {
    return new HttpReply(status, PROTOBUF, out.copy(), Map.of());
  }

  private static String type(HttpHead head) {
    String type = head.header("Content-Type").orElse("");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }
}

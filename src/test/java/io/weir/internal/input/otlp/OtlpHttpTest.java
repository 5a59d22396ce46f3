package io.weir.internal.input.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import io.weir.Await;
import io.weir.Seeds;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.http.InputServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class OtlpHttpTest {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final long TIME = 1_700_000_000_000_000_123L;
  private static final String AT = "@1700000000000+123=";

  private InputServer server;

  /** A part of a message. */
  @FunctionalInterface
  private interface Content {
    void write(CodedOutputStream out) throws IOException;
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Every kind of point, in protobuf. */
  @Test
  void points_areReadings() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    byte[] gauge = metric("temperature", 5, number(4, Double.doubleToRawLongBits(21.5), 0));
    byte[] sum = metric("bytes", 7, number(6, -7, 0));
    byte[] body =
        request(
            gauge, sum, histogram(9, 11, 1), histogram(10, 12, 1), histogram(9, 11, 2), summary());

    HttpResponse<byte[]> answer = post(PROTOBUF, body);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains(PROTOBUF);
    assertThat(answer.body()).as("no partial success").isEmpty();
    assertThat(server.readings())
        .containsExactly(
            "temperature{a=\"x\",service.name=\"pump\"}" + AT + "21.5",
            "bytes{a=\"x\",service.name=\"pump\"}" + AT + "-7.0",
            "h9.count{service.name=\"pump\"}" + AT + "3.0",
            "h9.sum{service.name=\"pump\"}" + AT + "6.0",
            "h9.min{service.name=\"pump\"}" + AT + "1.0",
            "h9.max{service.name=\"pump\"}" + AT + "4.0",
            "h10.count{service.name=\"pump\"}" + AT + "3.0",
            "h10.sum{service.name=\"pump\"}" + AT + "6.0",
            "h10.min{service.name=\"pump\"}" + AT + "1.0",
            "h10.max{service.name=\"pump\"}" + AT + "4.0",
            "s.count{service.name=\"pump\"}" + AT + "3.0",
            "s.sum{service.name=\"pump\"}" + AT + "6.0");
    assertThat(server.count(InputMetrics.READINGS, "outcome", "duplicate"))
        .as("count and sum of the cumulative histogram, which has the delta's id and time")
        .isEqualTo(2);
  }

  /** The same request in JSON gives the same readings: all are duplicates. */
  @Test
  void json_isTheSameAsProtobuf() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    assertThat(
            post(PROTOBUF, request(metric("t", 5, number(4, Double.doubleToRawLongBits(21.5), 0))))
                .statusCode())
        .isEqualTo(200);
    HttpResponse<byte[]> answer = post(JSON + "; charset=utf-8", json("\"asDouble\":21.5"));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(new String(answer.body(), UTF_8)).isEqualTo("{}");
    assertThat(server.readings()).containsExactly("t{a=\"x\",service.name=\"pump\"}" + AT + "21.5");
    assertThat(server.count(InputMetrics.READINGS, "outcome", "duplicate")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"asInt\":\"7\"', 7.0",
    "'\"asInt\":7', 7.0",
    "'\"asInt\":-7e0', -7.0",
    "'\"asDouble\":\"1.5\"', 1.5",
    "'\"asDouble\":null', ''",
    "'\"asDouble\":\"NaN\"', ''",
    "'\"flags\":1,\"asInt\":7', ''",
    "'\"unknown\":[{\"a\":[1]}],\"asInt\":7', 7.0"
  })
  void values_inJson(String value, String expected) throws Exception {
    storing("{name}", Histograms.COUNT_SUM);
    assertThat(post(JSON, json(value)).statusCode()).isEqualTo(200);

    assertThat(server.readings())
        .isEqualTo(expected.isEmpty() ? List.of() : List.of("t" + AT + expected));
    assertThat(server.count(InputMetrics.READINGS, "outcome", "skipped"))
        .isEqualTo(expected.isEmpty() ? 1 : 0);
  }

  @Test
  void templates_haveAttributesOfAllKinds() throws Exception {
    storing(
        "{resource:host.name}/{attr:a}/{attr:n}/{attr:l}/{attr:b}/{scope}/{unit}/{name}",
        Histograms.COUNT_SUM);
    String body =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[{"attributes":[
        {"key":"a","value":{"stringValue":"x"}},{"key":"n","value":{"intValue":"-5"}},
        {"key":"b","value":{"bytesValue":"AQI="}},
        {"key":"l","value":{"arrayValue":{"values":[{"boolValue":true},{"stringValue":"q"},
        {"kvlistValue":{"values":[{"key":"k","value":{"doubleValue":0.5}}]}}]}}}],
        "timeUnixNano":"1700000000000000123","asInt":"1"}]},"name":"t","unit":"Cel"}],
        "scope":{"name":"sc"}}],"resource":{"attributes":[
        {"key":"host.name","value":{"stringValue":"h"}}]}}]}
        """;
    assertThat(post(JSON, body.getBytes(UTF_8)).statusCode()).isEqualTo(200);

    assertThat(server.readings())
        .containsExactly("h/x/-5/[true,\"q\",{\"k\":0.5}]/AQI=/sc/Cel/t" + AT + "1.0");
  }

  @Test
  void refusedPoints_areAPartialSuccess() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    byte[] twice =
        message(
            out -> {
              out.writeByteArray(7, keyValue("a", "x"));
              out.writeByteArray(7, keyValue("a", "y"));
              out.writeFixed64(3, TIME);
              out.writeSFixed64(6, 1);
            });
    byte[] timeless = message(out -> out.writeSFixed64(6, 1));
    byte[] good = number(6, 1, 0);
    byte[] body = request(metric("t", 5, good), metric("t", 5, timeless), metric("t", 7, twice));
    String text = "2 of 3 points refused: BAD_LABELS 1 INVALID_TIMESTAMP 1; first: metric 2";

    HttpResponse<byte[]> answer = post(PROTOBUF, body);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            message(
                out ->
                    out.writeByteArray(
                        1,
                        message(
                            partial -> {
                              partial.writeInt64(1, 2);
                              partial.writeString(2, text);
                            }))));
    assertThat(server.readings()).hasSize(1);
    String json = new String(json("\"asDouble\":\"Infinity\""), UTF_8);
    assertThat(new String(post(JSON, json.getBytes(UTF_8)).body(), UTF_8))
        .isEqualTo(
            "{\"partialSuccess\":{\"rejectedDataPoints\":\"1\",\"errorMessage\":\"1 of 1 points"
                + " refused: INVALID_VALUE 1; first: metric 1\"}}");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/metrics, application/x-protobuf, '', '', 200",
    "POST, /v1/metrics, application/json, '', {}, 200",
    "POST, /v1/metrics, application/json, '', '', 400",
    "POST, /v1/metrics, application/json, '', '{}{}', 400",
    "POST, /v1/metrics, application/json, '', '{\"resourceMetrics\":1}', 400",
    "POST, /v1/metrics, application/json, gzip, {}, 400",
    "POST, /v1/metrics, application/json, br, {}, 415",
    "POST, /v1/metrics, text/plain, '', {}, 415",
    "POST, /v1/metrics, application/x-protobuf, '', {, 400",
    "GET, /v1/metrics, application/json, '', '', 405",
    "POST, /v1/traces, application/json, '', {}, 404",
    "POST, /v1/logs, application/json, '', {}, 404"
  })
  void statuses(String method, String path, String type, String encoding, String body, int status)
      throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    HttpRequest.Builder request = server.request(path).header("Content-Type", type);
    if (!encoding.isEmpty()) {
      request.header("Content-Encoding", encoding);
    }
    request.method(method, HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<byte[]> answer = server.send(request.build());

    assertThat(answer.statusCode()).isEqualTo(status);
    if (status == 400) {
      assertThat(answer.headers().firstValue("Content-Type")).contains(type);
    }
  }

  /** Nested JSON, a bomb of gzip, a number of a billion digits: refused, and nothing is offered. */
  @Test
  void hostileBodies_areRefused() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    String nested = "{\"resourceMetrics\":" + "[".repeat(100_000);
    assertThat(post(JSON, nested.getBytes(UTF_8)).statusCode()).isEqualTo(400);
    String unknown = "{\"x\":" + "[".repeat(100) + "]".repeat(100) + "}";
    assertThat(post(JSON, unknown.getBytes(UTF_8)).statusCode()).isEqualTo(400);
    assertThat(post(JSON, json("\"asInt\":1e999999999")).statusCode()).isEqualTo(400);
    assertThat(post(JSON, json("\"asInt\":" + "9".repeat(1_000))).statusCode()).isEqualTo(400);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      gzip.write(new byte[64 << 20]);
    }
    HttpRequest request =
        server
            .request("/v1/metrics")
            .header("Content-Type", PROTOBUF)
            .header("Content-Encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(bomb.toByteArray()))
            .build();
    assertThat(server.send(request).statusCode()).isEqualTo(413);
    assertThat(server.readings()).isEmpty();
    Await.until(() -> server.requestsInFlight() == 0);
  }

  @Test
  void aHundredThousandAttributes_areOneRefusedPoint() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    byte[] attribute = keyValue("a", "x");
    byte[] point =
        message(
            out -> {
              for (int i = 0; i < 100_000; i++) {
                out.writeByteArray(7, attribute);
              }
              out.writeFixed64(3, TIME);
            });
    assertThat(post(PROTOBUF, request(metric("t", 5, point))).statusCode()).isEqualTo(200);
    assertThat(server.readings()).isEmpty();
  }

  @Test
  void withoutRoom_is503_withRetryAfter_inKind() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    server.sink().room(false);
    HttpResponse<byte[]> answer = post(JSON, json("\"asInt\":1"));

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).contains("5");
    assertThat(new String(answer.body(), UTF_8))
        .isEqualTo("{\"message\":\"the spool is full or fails\"}");
  }

  @Test
  void droppedHistograms_areSkipped() throws Exception {
    storing("{series}", Histograms.DROP);
    assertThat(post(PROTOBUF, request(histogram(9, 11, 1), summary())).statusCode()).isEqualTo(200);
    assertThat(server.readings()).isEmpty();
    assertThat(server.count(InputMetrics.SKIPPED, "kind", "histogram")).isEqualTo(2);
  }

  /** Whatever is damaged: a request is refused whole, or its readings are those of some point. */
  @Test
  void mutatedRequests_areAnsweredWith200Or400() throws Exception {
    storing("{series}", Histograms.COUNT_SUM);
    byte[] protobuf = request(metric("t", 5, number(6, 1, 0)), histogram(9, 11, 1), summary());
    byte[] json = json("\"asInt\":1");
    Seeds.forEach(
        100,
        random -> {
          boolean isJson = random.nextBoolean();
          byte[] bytes = (isJson ? json : protobuf).clone();
          for (int i = random.nextInt(3); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          int before = server.readings().size();
          int status = post(isJson ? JSON : PROTOBUF, bytes).statusCode();
          assertThat(status).isIn(200, 400);
          if (status == 400) {
            assertThat(server.readings()).hasSize(before);
          }
        });
  }

  private void storing(String template, Histograms histograms) throws Exception {
    server =
        new InputServer(
            InputServer.limits(Duration.ofSeconds(60), 4),
            InputServer.everyone(),
            (intake, metrics, maxDecodedBytes) ->
                new OtlpInput(
                    intake,
                    new OtlpSettings(
                        SensorTemplate.parse(template, OtlpSettings.PARTS),
                        Set.of("service.name"),
                        histograms),
                    metrics,
                    maxDecodedBytes));
    server.store();
  }

  private HttpResponse<byte[]> post(String type, byte[] body) throws Exception {
    return server.send(
        server
            .request("/v1/metrics")
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build());
  }

  private static byte[] json(String value) {
    return ("{\"resourceMetrics\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\","
            + "\"value\":{\"stringValue\":\"pump\"}}]},\"scopeMetrics\":[{\"metrics\":[{\"name\":"
            + "\"t\",\"gauge\":{\"dataPoints\":[{\"attributes\":[{\"key\":\"a\",\"value\":"
            + "{\"stringValue\":\"x\"}}],\"timeUnixNano\":\"1700000000000000123\","
            + value
            + "}]}}]}]}]}")
        .getBytes(UTF_8);
  }

  private static byte[] request(byte[]... metrics) {
    byte[] scopeMetrics =
        message(
            out -> {
              for (byte[] metric : metrics) {
                out.writeByteArray(2, metric);
              }
            });
    byte[] resource = message(out -> out.writeByteArray(1, keyValue("service.name", "pump")));
    byte[] resourceMetrics =
        message(
            out -> {
              out.writeByteArray(2, scopeMetrics);
              out.writeByteArray(1, resource);
            });
    return message(out -> out.writeByteArray(1, resourceMetrics));
  }

  private static byte[] metric(String name, int kind, byte[] point) {
    return metric(name, kind, point, 2);
  }

  private static byte[] metric(String name, int kind, byte[] point, int temporality) {
    byte[] points =
        message(
            out -> {
              out.writeByteArray(1, point);
              out.writeEnum(2, temporality);
            });
    return message(
        out -> {
          out.writeString(1, name);
          out.writeByteArray(kind, points);
        });
  }

  private static byte[] number(int field, long value, int flags) {
    return message(
        out -> {
          out.writeByteArray(7, keyValue("a", "x"));
          out.writeFixed64(3, TIME);
          out.writeFixed64(field, value);
          out.writeUInt32(8, flags);
        });
  }

  private static byte[] histogram(int kind, int minField, int temporality) {
    byte[] point =
        message(
            out -> {
              out.writeFixed64(3, TIME);
              out.writeFixed64(4, 3);
              out.writeDouble(5, 6);
              out.writeDouble(minField, 1);
              out.writeDouble(minField + 1, 4);
            });
    return metric("h" + kind, kind, point, temporality);
  }

  private static byte[] summary() {
    byte[] point =
        message(
            out -> {
              out.writeFixed64(3, TIME);
              out.writeFixed64(4, 3);
              out.writeDouble(5, 6);
            });
    return metric("s", 11, point, 0);
  }

  private static byte[] keyValue(String key, String value) {
    return message(
        out -> {
          out.writeString(1, key);
          out.writeByteArray(2, message(any -> any.writeString(1, value)));
        });
  }

  private static byte[] message(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      content.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}

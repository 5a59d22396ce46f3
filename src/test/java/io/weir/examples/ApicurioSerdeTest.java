package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.internal.app.TopicSchemas;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.registry.FakeRegistry;
import io.weir.internal.registry.ValueFormat;
import io.weir.topic.Topic;
import io.weir.v1.CloseReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Apicurio's deserializer reads what Weir writes with the schemas that it registers, where {@code
 * mvn -f src/peers/apicurio package} was run. Its registry is the fake one, by the operations that
 * the deserializer calls.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ApicurioSerdeTest {
  private static final Path PEER = Path.of("target/peers-apicurio");
  private static final String CONTENT = "/apis/registry/v3/ids/contentIds/";
  private static final String REFERENCES = "/references";

  @Test
  void apicuriosDeserializer_readsFramedValues() throws Exception {
    assumeTrue(Files.isDirectory(PEER.resolve("dependency")), "no Apicurio in " + PEER);
    Map<Topic, Message> messages =
        Map.of(
            Topic.WINDOWS,
            WindowSummary.newBuilder()
                .setSensorId("boiler-3/temperature")
                .setWindowStartMs(1_770_076_800_000L)
                .setCount(2)
                .setMean(1.5)
                .setM2(0)
                .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
                .build(),
            Topic.LATE,
            ReadingBatch.newBuilder()
                .setGatewayId("g")
                .addReadings(Reading.newBuilder().setSensorId("a").setTimestampMs(5).setValue(1))
                .build(),
            Topic.STATUS,
            SensorStatus.newBuilder().setSensorId("a").setSinceMs(5).build());
    try (FakeRegistry registry = FakeRegistry.start()) {
      WeirConfig config =
          WeirConfig.of(
              new Properties(),
              Map.of(),
              Map.of("schema.registry.url", registry.url(), "status", "true"));
      assertThat(TopicSchemas.of(config).orElseThrow().register())
          .allMatch(state -> state.problem().isEmpty());
      ValueFormat format = ValueFormat.of(config.values());
      StringBuilder lines = new StringBuilder();
      List<String> expected = new ArrayList<>();
      messages.forEach(
          (topic, message) -> {
            String name = config.nameOf(topic);
            byte[] value =
                format.writer(name, message).write(message.toByteArray(), new RecordHeaders());
            assertThat(value[0]).isZero();
            String type = message.getClass().getName();
            lines.append(name + " " + type + " " + HexFormat.of().formatHex(value) + "\n");
            expected.add(
                message.getDescriptorForType().getFullName()
                    + " "
                    + TextFormat.printer().emittingSingleLine(true).printToString(message));
          });
      HttpServer apicurio = apicurio(registry.url());
      try {
        String url = "http://127.0.0.1:" + apicurio.getAddress().getPort() + "/apis/registry/v3";
        Tool.Ended ended = Tool.run(program(url), lines.toString());

        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.out().lines()).containsExactlyElementsOf(expected);
      } finally {
        apicurio.stop(0);
      }
    }
  }

  private static HttpServer apicurio(String confluent) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(CONTENT, exchange -> answer(exchange, confluent));
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange, String confluent) throws IOException {
    String id = exchange.getRequestURI().getPath().substring(CONTENT.length());
    boolean references = id.endsWith(REFERENCES);
    String answer = "[]";
    if (!references) {
      try (InputStream in = URI.create(confluent + "/schemas/ids/" + id).toURL().openStream()) {
        answer = new ObjectMapper().readTree(in).get("schema").textValue();
      }
    }
    exchange
        .getResponseHeaders()
        .add("Content-Type", references ? "application/json" : "application/x-protobuf");
    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static List<String> program(String url) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        FlinkSqlTest.classPath(PEER),
        "io.weir.peers.apicurio.ApicurioValues",
        url);
  }
}

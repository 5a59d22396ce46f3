package io.weir.internal.input.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.influxdb.client.InfluxDBClient;
import com.influxdb.client.InfluxDBClientFactory;
import com.influxdb.client.WriteApi;
import com.influxdb.client.WriteOptions;
import com.influxdb.client.domain.WritePrecision;
import com.influxdb.client.write.events.WriteErrorEvent;
import com.influxdb.client.write.events.WriteRetriableErrorEvent;
import com.influxdb.exceptions.BadRequestException;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.influx.InfluxConfig;
import io.micrometer.influx.InfluxMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.weir.Await;
import io.weir.internal.input.InputMetrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other people's clients write over real connections. */
@Timeout(300)
class ClientsOfCentralTest {
  private static final String AT = "@1700000000000=";

  private InputServer server;

  @AfterEach
  void close() {
    server.close();
  }

  /** It creates its database first. */
  @Test
  void micrometer_writesVersion1() throws Exception {
    server = InputServer.influx();
    gauges(new InfluxMeterRegistry(settings(Map.of("influx.db", "plant")), Clock.SYSTEM));
    assertThat(withoutTime())
        .contains(
            "pump_temperature,line=3,metric_type=gauge value=71.5",
            "pump_starts,metric_type=counter value=3.0");
    assertThat(server.count(InputMetrics.REQUESTS, "status", "204")).isEqualTo(1);
  }

  @Test
  void micrometer_writesVersion2() throws Exception {
    server = InputServer.influx();
    gauges(
        new InfluxMeterRegistry(
            settings(
                Map.of("influx.org", "any", "influx.bucket", "plant", "influx.token", "secret")),
            Clock.SYSTEM));
    assertThat(withoutTime())
        .contains(
            "pump_temperature,line=3,metric_type=gauge value=71.5",
            "pump_starts,metric_type=counter value=3.0");
  }

  @Test
  void micrometer_writesOtlp() throws Exception {
    server = InputServer.otlp();
    Map<String, String> settings = Map.of("otlp.url", url() + "/v1/metrics", "otlp.step", "1h");
    OtlpConfig config = settings::get;
    gauges(new OtlpMeterRegistry(config, Clock.SYSTEM));
    assertThat(withoutTime()).contains("pump.temperature{line=\"3\"}=71.5", "pump.starts=3.0");
  }

  @Test
  void influxsClient_hearsOfBadLines_andTheOthersAreStored() throws Exception {
    server = InputServer.influx();
    try (InfluxDBClient client =
        InfluxDBClientFactory.create(url(), "t".toCharArray(), "any", "plant")) {
      client.enableGzip();
      assertThat(client.ping()).isTrue();
      assertThatThrownBy(
              () ->
                  client
                      .getWriteApiBlocking()
                      .writeRecords(
                          WritePrecision.MS,
                          List.of(
                              "m v=1 1700000000000",
                              "m v=oops 1700000000001",
                              "n v=2 1700000000000")))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("1 of 3 lines refused: line 2");
    }
    assertThat(server.readings()).containsExactly("m v" + AT + "1.0", "n v" + AT + "2.0");
  }

  @Test
  void influxsClient_repeats503UntilThereIsRoom() throws Exception {
    server = InputServer.influx();
    server.sink().room(false);
    try (InfluxDBClient client =
            InfluxDBClientFactory.create(url(), "t".toCharArray(), "any", "plant");
        WriteApi write = client.makeWriteApi(soon())) {
      write.listenEvents(WriteRetriableErrorEvent.class, event -> server.sink().room(true));
      write.writeRecord(WritePrecision.MS, "m v=1 1700000000000");
      Await.until(() -> !server.readings().isEmpty());
    }
    assertThat(server.readings()).containsExactly("m v" + AT + "1.0");
    assertThat(server.count(InputMetrics.REQUESTS, "status", "503")).isPositive();
  }

  @Test
  void influxsClient_drops503AfterFiveRepeats() throws Exception {
    server = InputServer.influx();
    server.sink().room(false);
    CountDownLatch dropped = new CountDownLatch(1);
    try (InfluxDBClient client =
            InfluxDBClientFactory.create(url(), "t".toCharArray(), "any", "plant");
        WriteApi write = client.makeWriteApi(soon())) {
      write.listenEvents(WriteErrorEvent.class, event -> dropped.countDown());
      write.writeRecord(WritePrecision.MS, "m v=1 1700000000000");
      dropped.await();
      server.sink().room(true);
    }
    assertThat(server.readings()).isEmpty();
    assertThat(server.count(InputMetrics.REQUESTS, "status", "503")).isEqualTo(1 + 5);
  }

  /** As by default, with short pauses. */
  private static WriteOptions soon() {
    return WriteOptions.builder()
        .batchSize(1)
        .jitterInterval(0)
        .retryInterval(1)
        .maxRetryDelay(10)
        .build();
  }

  private InfluxConfig settings(Map<String, String> own) {
    return key -> Map.of("influx.uri", url(), "influx.step", "1h").getOrDefault(key, own.get(key));
  }

  private String url() {
    return server.request("").build().uri().toString();
  }

  /** Publishes once, at its end. */
  private static void gauges(MeterRegistry registry) {
    Gauge.builder("pump.temperature", () -> 71.5).tag("line", "3").register(registry);
    registry.counter("pump.starts").increment(3);
    registry.close();
  }

  private List<String> withoutTime() {
    return server.readings().stream().map(reading -> reading.replaceAll("@[0-9+]+", "")).toList();
  }
}

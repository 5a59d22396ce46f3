package io.weir.internal.input.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.influxdb.client.InfluxDBClient;
import com.influxdb.client.InfluxDBClientFactory;
import com.influxdb.client.domain.WritePrecision;
import com.influxdb.exceptions.BadRequestException;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.influx.InfluxConfig;
import io.micrometer.influx.InfluxMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.weir.internal.input.Histograms;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.InfluxInput;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.otlp.OtlpInput;
import io.weir.internal.input.otlp.OtlpSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    influx();
    gauges(new InfluxMeterRegistry(settings(Map.of("influx.db", "plant")), Clock.SYSTEM));
    assertThat(withoutTime())
        .contains(
            "pump_temperature,line=3,metric_type=gauge value=71.5",
            "pump_starts,metric_type=counter value=3.0");
    assertThat(server.count(InputMetrics.REQUESTS, "status", "204")).isEqualTo(1);
  }

  @Test
  void micrometer_writesVersion2() throws Exception {
    influx();
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
    server =
        InputServer.storing(
            (intake, metrics, maxDecodedBytes) ->
                new OtlpInput(
                    intake,
                    new OtlpSettings(
                        SensorTemplate.parse("{series}", OtlpSettings.PARTS),
                        Set.of(),
                        Histograms.COUNT_SUM),
                    metrics,
                    maxDecodedBytes));
    Map<String, String> settings = Map.of("otlp.url", url() + "/v1/metrics", "otlp.step", "1h");
    OtlpConfig config = settings::get;
    gauges(new OtlpMeterRegistry(config, Clock.SYSTEM));
    assertThat(withoutTime()).contains("pump.temperature{line=\"3\"}=71.5", "pump.starts=3.0");
  }

  @Test
  void influxsClient_hearsOfBadLines_andTheOthersAreStored() throws Exception {
    influx();
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

  private void influx() throws Exception {
    server =
        InputServer.storing(
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

package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.edge.PublisherBounds;
import io.weir.edge.PublisherSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of a gateway and those of the publisher agree: one cannot refuse the other's. */
class PublishersTest {
  private static final String ID = "gateway-1";

  @Test
  void defaults_areThePublishersOwn() {
    PublisherSettings ofCommand = settings(Map.of(), Map.of());
    PublisherSettings own = PublisherSettings.builder(ID).bootstrapServers("b:1").build();
    assertThat(ofCommand.resumeThresholdPercent()).isEqualTo(90);
    assertThat(ofCommand.flushInterval()).isEqualTo(Duration.ofMillis(20));
    assertThat(ofCommand)
        .usingRecursiveComparison()
        .comparingOnlyFields(
            "batchMaxReadings",
            "flushInterval",
            "queueCapacity",
            "suspendThresholdPercent",
            "resumeThresholdPercent",
            "compression",
            "limits",
            "keepMaxBytes",
            "keepReplayRate",
            "overflow",
            "ordered",
            "topic")
        .isEqualTo(own);
  }

  /** Both ends of what is allowed, and a value beyond each. */
  @ParameterizedTest
  @CsvSource({
    "flush.interval, 0ms, 1h, -1ms, 3600001ms",
    "queue.capacity, 1, 2147483647, 0, 2147483648",
    "suspend.threshold.percent, 1, 100, 0, 101",
    "batch.max.readings, 1, 10000, 0, 10001",
    "spool.max.bytes, 1048576, 1125899906842624, 1048575, 1125899906842625",
    "spool.replay.rate, 1, 1000000000, 0, 1000000001",
  })
  void bounds_areWithinThePublishers_andWhatIsBeyondThemNamesItsKey(
      String key, String least, String most, String below, String above) {
    for (String allowed : List.of(least, most)) {
      assertThat(settings(Map.of(key, allowed, "spool.dir", "kept"), Map.of())).isNotNull();
    }
    for (String refused : List.of(below, above)) {
      assertThatThrownBy(() -> settings(Map.of(key, refused), Map.of()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("weir." + key + " = " + refused);
    }
  }

  /** Where a key says how far it goes, it goes as far as the publisher does. */
  @Test
  void boundsOfBoth_areTheSame() {
    assertThat(
            refusalOf("flush.interval", "2h")
                + refusalOf("queue.capacity", "0")
                + refusalOf("suspend.threshold.percent", "0")
                + refusalOf("gateway.id", " "))
        .contains(
            "from 0s to 1h",
            "from 1 to " + PublisherBounds.MAX_QUEUE_CAPACITY,
            "from 1 to " + PublisherBounds.MAX_SUSPEND_THRESHOLD_PERCENT,
            "1 to " + PublisherBounds.MAX_GATEWAY_ID_BYTES + " bytes");
    assertThatThrownBy(
            () ->
                PublisherSettings.builder(ID)
                    .bootstrapServers("b:1")
                    .queueCapacity(1L + PublisherBounds.MAX_QUEUE_CAPACITY)
                    .build())
        .hasMessageContaining("queueCapacity");
    assertThatThrownBy(
            () ->
                PublisherSettings.builder(ID)
                    .bootstrapServers("b:1")
                    .flushInterval(PublisherBounds.MAX_FLUSH_INTERVAL.plusNanos(1))
                    .build())
        .hasMessageContaining("flushInterval");
  }

  private static String refusalOf(String key, String value) {
    return catchThrowable(() -> config(Map.of(key, value), Map.of())).getMessage();
  }

  /** The application refuses such a gateway's batches: its publisher does not start. */
  @Test
  void gatewayId_longerThanTheLimitOfIds_isRefusedInALine() {
    WeirConfig config = config(Map.of("max.id.bytes", "100"), Map.of());
    assertThat(Publishers.settings(config, "x".repeat(100))).isNotNull();
    assertThatThrownBy(() -> Publishers.settings(config, "x".repeat(101)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("1 to 100 bytes")
        .hasMessageNotContaining("\n");
  }

  @Test
  void limits_areTheApplications() {
    Map<String, String> options =
        Map.of("max.batch.readings", "500", "batch.max.readings", "500", "max.id.bytes", "4096");
    PublisherSettings settings = settings(options, Map.of());
    assertThat(settings.limits().maxBatchReadings()).isEqualTo(500);
    assertThat(settings.maxIdBytes()).isEqualTo(4_096);
    assertThatThrownBy(() -> settings(Map.of("max.batch.readings", "500"), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("weir.batch.max.readings = 1000")
        .hasMessageContaining("weir.max.batch.readings, 500");
  }

  /** Also where sensors may have longer ids. */
  @Test
  void gatewayId_isWhatAPublisherMayHave() {
    Map<String, String> longIds = new HashMap<>(Map.of("max.id.bytes", "4096"));
    longIds.put("gateway.id", "é".repeat(128));
    WeirConfig config = config(longIds, Map.of());
    assertThat(Publishers.settings(config, config.edge().gatewayId().orElseThrow())).isNotNull();
    for (String refused : List.of("x".repeat(257), "half-\uD83C")) {
      longIds.put("gateway.id", refused);
      assertThatThrownBy(() -> config(longIds, Map.of()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("weir.gateway.id = ")
          .hasMessageContaining("256 bytes of UTF-8");
    }
  }

  /** What passes through to the producer is the publisher's to refuse; the command ends with 2. */
  @ParameterizedTest
  @CsvSource({
    "KAFKA_DELIVERY_TIMEOUT_MS, 1000, delivery.timeout.ms",
    "KAFKA_LINGER_MS, soon, linger.ms",
    "KAFKA_MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5, max.in.flight.requests.per.connection",
    "KAFKA_COMPRESSION_TYPE, gzip, compression.type",
  })
  void kafkaSetting_thatAPublisherCannotHave_isAWrongSetting(
      String variable, String value, String named) {
    assertThatThrownBy(() -> settings(Map.of(), Map.of(variable, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(named);
  }

  private static PublisherSettings settings(
      Map<String, String> options, Map<String, String> environment) {
    return Publishers.settings(config(options, environment), ID);
  }

  private static WeirConfig config(Map<String, String> options, Map<String, String> environment) {
    return WeirConfig.of(new Properties(), environment, options);
  }
}

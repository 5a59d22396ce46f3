package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.reading.Limits;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("deprecation") // What is deprecated must go on working.
class PublisherSettingsTest {
  /** What is wrong, and the words that must be in the line. */
  static Stream<Arguments> badSettings() {
    return Stream.of(
        bad(s -> s.batchMaxReadings(0), "batchMaxReadings", "'0'", "1 to 10000"),
        bad(s -> s.batchMaxReadings(10_001), "batchMaxReadings", "'10001'"),
        bad(s -> s.limits(new Limits(1 << 20, 500, 256)), "batchMaxReadings", "'1000'", "1 to 500"),
        bad(s -> s.keepReplayRate(0), "keepReplayRate"),
        bad(s -> s.flushInterval(Duration.ofMillis(-1)), "flushInterval", "0 to 1 hour"),
        bad(s -> s.queueCapacity(0), "queueCapacity"),
        bad(s -> s.suspendThresholdPercent(101), "suspendThresholdPercent", "'101'"),
        bad(s -> s.resumeThresholdPercent(99), "resumeThresholdPercent", "0 to 98"),
        bad(s -> s.maxIdBytes(0), "maxIdBytes"),
        bad(s -> s.topic(" "), "topic"),
        bad(s -> s.bootstrapServers(""), "bootstrapServers"),
        bad(s -> s.kafka(Map.of("acks", "1")), "acks", "Weir"),
        bad(s -> s.kafka(Map.of("max.in.flight.requests.per.connection", 5)), "in.flight"),
        bad(s -> s.kafka(Map.of("linger.ms", "soon")), "linger.ms", "soon"),
        bad(s -> s.kafka(Map.of("delivery.timeout.ms", 1_000)), "delivery.timeout.ms", "15000"),
        bad(
            s ->
                s.resumeFrom(
                    new PublisherState("other", 1, Collections.nCopies(64, 0L), List.of())),
            "gatewayId",
            "other"));
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  void badSetting_isRefusedInALineThatNamesIt(
      UnaryOperator<PublisherSettings.Builder> spoil, List<String> words) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spoil.apply(PublisherRig.builder()).build())
        .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
  }

  /** UTF-8 would make them one id, which fence each other. */
  @Test
  void gatewayIds_withHalvesOfSurrogatePairs_areRefused() {
    for (String id : List.of("gw-\uD83C", "gw-\uDF21", "\uDF21\uD83C")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PublisherSettings.builder(id).bootstrapServers("b:1").build())
          .withMessageContaining("surrogate");
    }
    PublisherSettings.builder("gw-\uD83C\uDF21").bootstrapServers("b:1").build();
  }

  @Test
  void gatewayId_emptyOrTooLong_isRefused() {
    for (String id : List.of("", "é".repeat(129))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PublisherSettings.builder(id).bootstrapServers("b:1").build())
          .withMessageContaining("1 to 256 bytes");
    }
  }

  /** The application would refuse each of its batches: INVALID_GATEWAY. */
  @Test
  void gatewayId_longerThanTheApplicationTakes_isRefusedAtTheStart() {
    for (String id : List.of("g".repeat(101), "é".repeat(100))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> PublisherSettings.builder(id).bootstrapServers("b:1").maxIdBytes(100).build())
          .withMessageStartingWith("gatewayId is '" + id)
          .withMessageContaining("1 to 100 bytes")
          .withMessageContaining("maxIdBytes");
    }
    PublisherSettings.builder("g".repeat(100)).bootstrapServers("b:1").maxIdBytes(100).build();
  }

  @Test
  void kafkaSettings_passThrough_besideWhatWeirFixes() {
    PublisherSettings settings =
        PublisherRig.builder()
            .kafka(Map.of("security.protocol", "SSL", "linger.ms", "7"))
            .compression(Compression.LZ4)
            .build();

    assertThat(ProducerSettings.of(settings))
        .containsEntry("security.protocol", "SSL")
        .containsEntry("linger.ms", "7")
        .containsEntry("compression.type", "lz4")
        .containsEntry("acks", "all")
        .containsEntry("max.in.flight.requests.per.connection", 1);
  }

  private static Arguments bad(UnaryOperator<PublisherSettings.Builder> spoil, String... words) {
    return Arguments.of(spoil, List.of(words));
  }
}

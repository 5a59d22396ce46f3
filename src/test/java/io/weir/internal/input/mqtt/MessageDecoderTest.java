package io.weir.internal.input.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.HeldSink;
import io.weir.internal.input.Identities;
import io.weir.internal.input.IdentitySettings;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Rejects;
import io.weir.internal.input.SensorTemplate;
import io.weir.internal.input.influx.InfluxSettings;
import io.weir.internal.input.influx.LineMessages;
import io.weir.reading.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDecoderTest {
  private static final long ARRIVAL_NANOS = 1_700_000_000_123_000_000L;
  private static final String ARRIVAL = "@1700000000123=";

  @TempDir private Path dir;

  private MessageTally tally;

  @Test
  void lines_haveIdsOfTopicsToo() {
    assertThat(decode("boiler,line=3 temp=1,bar=2i", "{topic:1}/{measurement}/{tag:line}/{field}"))
        .containsExactly(
            "plant/boiler/3/temp" + ARRIVAL + "1.0", "plant/boiler/3/bar" + ARRIVAL + "2.0");
    assertThat(decode("boiler temp=1", "{topic}/{column}"))
        .containsExactly("plant/a/temp" + ARRIVAL + "1.0");
    assertThat(decode("boiler temp=1", "{topic:7}/{field}")).isEmpty();
    assertThat(tally.refused).containsOnlyKeys("MISSING_SENSOR_ID");
  }

  @Test
  void mapping_isForTopicsOfItsFilter() throws IOException {
    String body = "{\"at\":\"2023-11-14T22:13:20Z\",\"data\":{\"t\":3,\"p\":4}}";

    assertThat(
            mapped(
                "plant/+", "json-value: $.data.*\njson-timestamp: $.at\ntime-format: iso\n", body))
        .containsExactly("plant/a/t@1700000000000=3.0", "plant/a/p@1700000000000=4.0");
    assertThat(tally.withArrivalTime).isZero();
    assertThat(mapped("#", "json-value: $.data.t\nsensor-id: '{topic:-1}'\n", body))
        .containsExactly("a" + ARRIVAL + "3.0");
    assertThat(tally.withArrivalTime).isEqualTo(1);
    assertThat(mapped("other/#", "json-value: $.data.t\n", body)).isEmpty();
    assertThat(tally.skipped).containsOnlyKeys("type");
    assertThat(mapped("#", "json-value: $.none\n", body)).isEmpty();
    assertThat(tally.skipped).containsOnlyKeys("unmapped");
    assertThat(mapped("#", "json-value: $.data.t\n", "{\"data\"")).isEmpty();
    assertThat(tally.refused).hasSize(1);
  }

  @Test
  void mappingThatIsNone_isRefusedInOneLine() throws IOException {
    assertThatThrownBy(() -> mapped("#", "wide: true\n", "{}"))
        .hasMessage("wide is not for messages of JSON");
    assertThatThrownBy(() -> mapped("a/#/b", "json-value: $.a\n", "{}"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MessageMapping.parse("none.yaml"))
        .hasMessageContaining("no such file");
  }

  private List<String> mapped(String filter, String yaml, String body) throws IOException {
    Path file = Files.writeString(dir.resolve("mapping.yaml"), yaml);
    return decode(
        new MqttMessage("plant/a", body.getBytes(UTF_8), 1, false, () -> {}),
        MqttSettings.Payload.AUTO,
        Optional.empty(),
        List.of(MessageMapping.parse(filter + "=" + file)));
  }

  @Test
  void numbers() {
    assertThat(decode("21.5")).containsExactly("plant/a" + ARRIVAL + "21.5");
    assertThat(decode(" -1e3\n")).containsExactly("plant/a" + ARRIVAL + "-1000.0");
    assertThat(decode("true")).containsExactly("plant/a" + ARRIVAL + "1.0");
    assertThat(tally.withArrivalTime).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "1d", "0x10", "1,5", "on", "Infinity", "1e99999", "--1", "1 2"})
  void textThatIsNoNumber_isRefused(String text) {
    assertThat(decode(text)).isEmpty();
    assertThat(MessageTally.sum(tally.refused)).isEqualTo(1);
  }

  @Test
  void jsonOfOneLevel_givesAReadingForEachNumber() {
    assertThat(decode("{\"temp\":3,\"ok\":true,\"name\":\"x\",\"sub\":{\"a\":1},\"n\":null}"))
        .containsExactly("plant/a/temp" + ARRIVAL + "3.0", "plant/a/ok" + ARRIVAL + "1.0");
    assertThat(tally.skipped).containsExactly(Map.entry("type", 3));
  }

  @Test
  void jsonWithATime_hasIt() {
    assertThat(decode("{\"timestamp_ms\":1700000000000,\"temp\":3}"))
        .containsExactly("plant/a/temp@1700000000000=3.0");
    assertThat(tally.withArrivalTime).isZero();
    assertThat(decode("{\"timestamp_ms\":\"noon\",\"temp\":3}")).isEmpty();
    assertThat(tally.refused).containsOnlyKeys("INVALID_TIMESTAMP");
  }

  @Test
  void readingsAsInFiles_aloneAndInAnArray() {
    String one = "{\"sensor_id\":\"s\",\"timestamp_ms\":1700000000000,\"value\":4.25}";
    assertThat(decode(one)).containsExactly("s@1700000000000=4.25");
    assertThat(decode("[" + one + ",7," + one.replace("\"s\"", "\"t\"") + "]"))
        .containsExactly("s@1700000000000=4.25", "t@1700000000000=4.25");
    assertThat(tally.skipped).containsOnlyKeys("type");
    assertThat(decode("{\"sensor_id\":\"s\",\"value\":\"hot\"}")).isEmpty();
    assertThat(tally.refused).containsOnlyKeys("INVALID_VALUE");
    assertThat(decode("{\"sensor_id\":\"s\",\"value\":1,\"quality\":\"odd\"}")).isEmpty();
    assertThat(tally.refused).containsOnlyKeys("INVALID_QUALITY");
    assertThat(decode("{\"sensor_id\":\"\",\"value\":1}")).isEmpty();
    assertThat(MessageTally.sum(tally.refused)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{", "{\"a\":1}x", "{\"a\":1,\"a\":2}", "{\"a\":NaN}", "[[", "{\"a\":01}"})
  void jsonThatIsNone_isRefused(String text) {
    assertThat(decode(text)).isEmpty();
    assertThat(tally.refused).containsExactly(Map.entry("MALFORMED_JSON", 1));
  }

  @Test
  void deepJson_isRefused() {
    assertThat(decode("[".repeat(100_000))).isEmpty();
    assertThat(tally.refused).containsOnlyKeys("MALFORMED_JSON");
  }

  /** A pod has 358 MiB of heap, and 32 MiB may be eleven million empty objects. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "{\"a\":[]}", "1"})
  void jsonOfMoreValuesThanMemory_isRefused(String value) {
    assertThat(decode("[" + (value + ",").repeat(250_000) + "1]")).isEmpty();
    assertThat(tally.refused).containsExactly(Map.entry("TOO_MANY_VALUES", 1));
  }

  @Test
  void longTopic_isRefusedAtOnce() {
    MqttMessage message =
        new MqttMessage("a/".repeat(600), "{\"a\":1,\"b\":2}".getBytes(UTF_8), 1, false, () -> {});
    assertThat(decode(message, MqttSettings.Payload.AUTO, Optional.empty())).isEmpty();
    assertThat(tally.refused).containsExactly(Map.entry("SENSOR_ID_TOO_LONG", 1));
  }

  /** 20,000 readings with an id of 10 MB each would be 200 GB to copy. */
  @Test
  @Timeout(60)
  void longPartOfAllIds_isNotCopiedForEach() {
    StringBuilder json = new StringBuilder("{\"d\":\"" + "x".repeat(10_000_000) + "\"");
    for (int i = 0; i < 20_000; i++) {
      json.append(",\"c").append(i).append("\":1");
    }
    assertThat(decode(json + "}", "{path:$.d}/{column}")).isEmpty();
    assertThat(tally.refused).containsExactly(Map.entry("SENSOR_ID_TOO_LONG", 20_000));
  }

  @Test
  void lineProtocolAndCsv() {
    assertThat(decode("weather,loc=x temp=4 1700000000000000000"))
        .containsExactly("weather,loc=x temp@1700000000000=4.0");
    assertThat(decode("sensor_id,timestamp_ms,value\nc1,1700000000000,7\nc2,1,x\n"))
        .containsExactly("c1@1700000000000=7.0");
    assertThat(MessageTally.sum(tally.refused)).isEqualTo(1);
  }

  /** JSON may have it, UTF-8 has not; as no room it would end each connection that brings it. */
  @Test
  void idWithHalfASurrogatePair_isRefused_andTheRestCounts() {
    assertThat(decode("[{\"sensor_id\":\"\\ud800\",\"value\":1},{\"b\":2}]"))
        .containsExactly("plant/a/b" + ARRIVAL + "2.0");
    assertThat(tally.refused).containsExactly(Map.entry("SENSOR_ID_NOT_TEXT", 1));
    assertThat(decode("{\"d\":\"\\udc00x\",\"a\":1}", "{path:$.d}/{column}")).isEmpty();
    assertThat(tally.refused).containsExactly(Map.entry("SENSOR_ID_NOT_TEXT", 1));
    assertThat(decode("{\"\\ud800\":1}")).isEmpty();
    assertThat(MessageTally.sum(tally.refused)).isEqualTo(1);
  }

  @Test
  void compressedCsv_isNotUnpacked() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write("sensor_id,timestamp_ms,value\nc1,1700000000000,7\n".getBytes(UTF_8));
    }
    assertThat(decode(packed.toByteArray(), MqttSettings.Payload.CSV, Optional.empty())).isEmpty();
    assertThat(tally.refused).containsExactly(Map.entry("MALFORMED_CSV", 1));
  }

  @Test
  void emptyMessage_isSkipped() {
    assertThat(decode("")).isEmpty();
    assertThat(tally.skipped).containsExactly(Map.entry("empty", 1));
  }

  @Test
  void templates() {
    String json = "{\"temp\":3,\"meta\":{\"device\":\"d7\"}}";
    assertThat(decode(json, "{topic:2}/{path:$.meta.device}/{column}"))
        .containsExactly("a/d7/temp" + ARRIVAL + "3.0");
    assertThat(decode(json, "{topic:-1}|{topic:1-}".replace("|", "+")))
        .containsExactly("a+plant/a" + ARRIVAL + "3.0");
    assertThat(decode(json, "{topic:9}")).isEmpty();
    assertThat(tally.refused).containsOnlyKeys("MISSING_SENSOR_ID");
    assertThat(decode("5", "{topic}[/{column}]")).containsExactly("plant/a" + ARRIVAL + "5.0");
  }

  /** Whatever the bytes, a message is decoded or refused. */
  @Test
  void randomBytes() {
    String alphabet = "{}[]\",:=0123456789.eE+-tf \n\\ \u00e9a";
    Seeds.forEach(
        300,
        random -> {
          StringBuilder text = new StringBuilder();
          int length = random.nextInt(60);
          for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
          }
          byte[] bytes = text.toString().getBytes(UTF_8);
          for (int i = 0; i < bytes.length / 20; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
          }
          for (MqttSettings.Payload payload : MqttSettings.Payload.values()) {
            decode(bytes, payload, Optional.empty());
          }
        });
  }

  private List<String> decode(String text) {
    return decode(text.getBytes(UTF_8), MqttSettings.Payload.AUTO, Optional.empty());
  }

  private List<String> decode(String text, String template) {
    return decode(
        text.getBytes(UTF_8),
        MqttSettings.Payload.AUTO,
        Optional.of(SensorTemplate.parse(template, MqttSettings.PARTS)));
  }

  private List<String> decode(
      byte[] body, MqttSettings.Payload payload, Optional<SensorTemplate> template) {
    return decode(new MqttMessage("plant/a", body, 1, false, () -> {}), payload, template);
  }

  private List<String> decode(
      MqttMessage message, MqttSettings.Payload payload, Optional<SensorTemplate> template) {
    return decode(message, payload, template, List.of());
  }

  private List<String> decode(
      MqttMessage message,
      MqttSettings.Payload payload,
      Optional<SensorTemplate> template,
      List<MessageMapping> mappings) {
    MqttSettings settings =
        new MqttSettings(
            new MqttBroker(
                List.of(),
                MqttBroker.Version.AUTO,
                "weir-test",
                Optional.empty(),
                new MqttBroker.Tls(Optional.empty(), Optional.empty(), Optional.empty()),
                Duration.ZERO,
                Duration.ZERO),
            List.of(),
            false,
            payload,
            template,
            mappings,
            1,
            dir);
    HeldSink own = new HeldSink();
    Identities identities =
        new Identities(
            new IdentitySettings(true, 1 << 23, 0, IdentitySettings.Collisions.COUNT, 16_384));
    Delivery delivery = new Intake(own, identities, 256, 1_000_000_000).begin();
    LineMessages lines =
        settings.lines(
            new InfluxSettings(
                SensorTemplate.parse("{series} {field}", InfluxSettings.PARTS),
                InfluxSettings.MissingTime.ARRIVAL,
                List.of()),
            new Rejects(Optional.empty()));
    tally =
        new MessageDecoder(settings, lines, new Limits(1 << 20, 10_000, 256))
            .decode(message, ARRIVAL_NANOS, delivery);
    return own.readings();
  }
}

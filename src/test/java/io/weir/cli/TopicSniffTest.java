package io.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.text.sniff.RecordGuess;
import io.weir.internal.text.sniff.RecordSample;
import io.weir.internal.text.sniff.Sniffed;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Reading;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What is found in records of other programs. */
class TopicSniffTest {
  private static final long TIME_MS = 1_764_201_600_000L;
  private static final String AVRO =
      """
      {"type":"record","name":"Press","namespace":"plant","fields":[
        {"name":"device","type":"string"},
        {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
        {"name":"value","type":["null","double"]}]}
      """;

  @Test
  void nestedJson_deviceInTheValue_severalValues() throws Exception {
    Sniffed found =
        json(
            i ->
                "{\"device\":\"press-%d\",\"ts\":%d,\"values\":{\"temp\":%d.5,\"bar\":4}}"
                    .formatted(i % 2, TIME_MS + i, i));

    assertThat(found.options())
        .containsEntry("format", "json")
        .containsEntry("json-timestamp", "$.ts")
        .containsEntry("json-value", "$.values.*")
        .containsEntry("sensor-id", "{path:$.device}/{column}")
        .hasSize(4);
    assertThat(found.undecided()).isEmpty();
    assertThat(
            readings(found, i -> "{\"device\":\"d\",\"ts\":1,\"values\":{\"x\":%d}}".formatted(i)))
        .hasSize(20)
        .allSatisfy(reading -> assertThat(reading.sensorId()).isEqualTo("d/x"));
  }

  @Test
  void flatJson_withoutTime_keyedByDevice_takesKeyAndTimeOfTheRecord() {
    Sniffed found =
        look(i -> record("press-" + i % 2, "{\"temp\":%d,\"bar\":4.5}".formatted(i), Map.of()));

    assertThat(found.options())
        .containsEntry("json-value", "$.*")
        .containsEntry("time", "record")
        .containsEntry("sensor-id", "{key}/{column}");
    assertThat(found.undecided()).isEmpty();
  }

  @Test
  void keyOtherThanTheDevice_isNotDecided() {
    Sniffed found =
        look(
            i ->
                record(
                    "line-" + i % 3,
                    "{\"device\":\"press-%d\",\"ts\":%d,\"value\":%d}"
                        .formatted(i % 2, TIME_MS + i, i),
                    Map.of()));

    assertThat(found.options()).containsEntry("json-sensor-id", "$.device");
    assertThat(found.undecided()).anyMatch(line -> line.contains("{key} in --sensor-id"));
  }

  @Test
  void keyThatIsTheDevice_isDecided() {
    Sniffed found =
        look(
            i ->
                record(
                    "press-" + i % 2,
                    "{\"device\":\"press-%d\",\"ts\":%d,\"value\":%d}"
                        .formatted(i % 2, TIME_MS + i, i),
                    Map.of()));

    assertThat(found.undecided()).isEmpty();
  }

  @Test
  void twoTimes_areNotDecided() {
    Sniffed found =
        json(
            i ->
                "{\"sensor\":\"a\",\"time\":%d,\"created_at\":%d,\"value\":1}"
                    .formatted(TIME_MS + i, TIME_MS + 2 * i));

    assertThat(found.undecided()).anyMatch(line -> line.startsWith("the time: taken from $."));
  }

  @Test
  void envelopeOfConnect_isTakenOff() {
    Sniffed found =
        json(
            i ->
                ("{\"schema\":{\"type\":\"struct\"},\"payload\":{\"sensor\":\"s\",\"ts\":%d,"
                        + "\"value\":%d}}")
                    .formatted(TIME_MS + i, i));

    assertThat(found.says()).anyMatch(line -> line.contains("envelope of Kafka Connect"));
    assertThat(found.options())
        .containsEntry("json-value", "$.value")
        .containsEntry("json-sensor-id", "$.sensor");
  }

  @Test
  void changesOfDebezium_readTheRow_andNameBothTimes() {
    Sniffed found =
        json(
            i ->
                ("{\"before\":null,\"after\":{\"id\":\"s\",\"value\":%d},\"source\":{\"ts_ms\":%d,"
                        + "\"lsn\":5},\"op\":\"c\",\"ts_ms\":%d}")
                    .formatted(i, TIME_MS + i, TIME_MS + i));

    assertThat(found.options())
        .containsEntry("json-value", "$.after.value")
        .containsEntry("json-sensor-id", "$.after.id")
        .containsEntry("json-timestamp", "$.ts_ms");
    assertThat(found.undecided()).anyMatch(line -> line.contains("$.source.ts_ms"));
  }

  @Test
  void metricsOfTelegraf_haveTheNameOfTheMeasurementToo() {
    Sniffed found =
        json(
            i ->
                ("{\"fields\":{\"idle\":%d,\"user\":2},\"name\":\"cpu\",\"tags\":{\"host\":\"a\"},"
                        + "\"timestamp\":%d}")
                    .formatted(i, TIME_MS / 1000 + i));

    assertThat(found.options())
        .containsEntry("json-value", "$.fields.*")
        .containsEntry("time-format", "epoch-s")
        .containsEntry("sensor-id", "{path:$.name}/{path:$.tags.host}/{column}");
  }

  @Test
  void topicOfMqttInAHeader_andTimeInAnother() {
    Sniffed found =
        look(
            i ->
                record(
                    null,
                    "{\"temp\":%d}".formatted(i),
                    Map.of("mqtt.topic", "plant/" + i % 2, "sent", Long.toString(TIME_MS + i))));

    assertThat(found.options()).containsEntry("sensor-id", "{header:mqtt.topic}/{column}");
    assertThat(found.undecided()).anyMatch(line -> line.contains("--time header:sent"));
  }

  @Test
  void neitherKeyNorHeader_isNotDecided() {
    Sniffed found = look(i -> record(null, "{\"temp\":%d}".formatted(i), Map.of()));

    assertThat(found.options()).containsEntry("sensor-id", "{topic}/{column}");
    assertThat(found.undecided()).anyMatch(line -> line.startsWith("the sensor:"));
  }

  @Test
  void lineProtocol_withAndWithoutTimes() {
    assertThat(json(i -> "cpu,host=a idle=%d,user=2i %d".formatted(i, TIME_MS + i)).options())
        .containsEntry("format", "line")
        .containsEntry("precision", "ms")
        .hasSize(2);
    assertThat(json(i -> "cpu,host=a idle=" + i).options())
        .containsEntry("format", "line")
        .containsEntry("time", "record");
  }

  @Test
  void plainNumbers_keyedBySensor() {
    Sniffed found = look(i -> record("s" + i % 2, "2" + i + ".5", Map.of()));

    assertThat(found.options())
        .containsEntry("format", "number")
        .containsEntry("sensor-id", "{key}")
        .containsEntry("time", "record");
    assertThat(found.undecided()).isEmpty();
  }

  @Test
  void binaryNumbers_byTheirSize() {
    assertThat(binary(i -> ByteBuffer.allocate(8).putDouble(20.5 + i)).options())
        .containsEntry("binary", "double");
    assertThat(binary(i -> ByteBuffer.allocate(8).putLong(20 + i)).options())
        .containsEntry("binary", "long");
    assertThat(binary(i -> ByteBuffer.allocate(4).putFloat(20.5f + i)).undecided())
        .anyMatch(line -> line.contains("--binary int"));
    assertThat(binary(i -> ByteBuffer.allocate(13).put((byte) 0xff).putInt(i)).undecided())
        .anyMatch(line -> line.contains("--schema FILE.avsc"));
  }

  @Test
  void csv_withAHeaderInEachRecord_andWithout() {
    assertThat(json(i -> "sensor;time;value\na;%d;%d,5".formatted(TIME_MS + i, i)).options())
        .containsEntry("format", "csv")
        .containsEntry("delimiter", ";")
        .doesNotContainKey("no-header");
    assertThat(json(i -> "a;%d;%d".formatted(TIME_MS + i, i)).options())
        .containsEntry("no-header", "true");
    assertThat(json(i -> "Werk;time;value\nA 7;%d;%d".formatted(TIME_MS + i, i)).undecided())
        .anyMatch(line -> line.startsWith("whether Werk belongs to the sensor"));
    assertThat(json(i -> "21;GOOD").undecided()).anyMatch(line -> line.startsWith("the columns:"));
  }

  @Test
  void frames_areWhatTheRegistrySays() {
    assertThat(framed(id -> Optional.empty()).options()).isEmpty();
    assertThat(framed(id -> Optional.empty()).undecided())
        .anyMatch(line -> line.contains("--registry"));
    assertThat(framed(id -> Optional.of(new RecordSample.Schema("PROTOBUF", ""))).options())
        .containsEntry("format", "protobuf");
    assertThat(framed(id -> Optional.of(new RecordSample.Schema("AVRO", AVRO))).options())
        .containsEntry("format", "avro")
        .containsEntry("json-value", "$.value")
        .containsEntry("json-sensor-id", "$.device")
        .containsEntry("json-timestamp", "$.at");
  }

  @Test
  void severalKinds_areNotDecided() {
    Sniffed found = look(i -> record("k" + i % 2, i % 4 == 0 ? "5" : "{\"value\":1}", Map.of()));

    assertThat(found.options()).containsEntry("format", "json");
    assertThat(found.undecided()).anyMatch(line -> line.contains("JSON 15, plain numbers 5"));
  }

  @Test
  void tombstonesAlone_haveNoCommand() {
    Sniffed found = look(i -> new RecordSample(null, null, Map.of(), false));

    assertThat(found.options()).isEmpty();
    assertThat(found.undecided()).containsExactly("what it is: no record has a value");
  }

  @Test
  void topicOnACluster_commandIsTriedOnItsRecords() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("plant_raw", 2, (short) 1))).all().get();
      Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        for (int i = 0; i < 40; i++) {
          String value = "{\"ts\":%d,\"value\":%d}".formatted(TIME_MS + i, i);
          byte[] key = ("s" + i % 4 / 2).getBytes(UTF_8);
          producer.send(new ProducerRecord<>("plant_raw", i % 2, key, value.getBytes(UTF_8)));
        }
        producer.send(new ProducerRecord<>("plant_raw", 0, "s0".getBytes(UTF_8), null));
      }

      WeirProcess.Ended ended =
          CommandHost.shared()
              .run(
                  "sniff",
                  "--topic",
                  "plant_raw",
                  "-n",
                  "10",
                  "--bootstrap-servers",
                  kafka.bootstrapServers());

      assertThat(ended.lines())
          .contains(
              "plant_raw: 20 records read",
              "  records without a value, which are skipped: 1",
              "command: weir import plant_raw --name plant-raw --format json --json-timestamp"
                  + " '$.ts' --json-value '$.value' --sensor-id '{key}' --bootstrap-servers "
                  + kafka.bootstrapServers());
      assertThat(ended.out()).contains("not decided: the order: the sensor s");
      assertThat(ended.out()).contains("  s1  2025-11-27T00:00:00.03");
      assertThat(ended.status()).isZero();
      WeirProcess.Ended absent =
          CommandHost.shared()
              .run("sniff", "--topic", "none", "--bootstrap-servers", kafka.bootstrapServers());
      assertThat(absent.err()).contains("no topic none on the cluster");
    }
  }

  private static RecordSample record(String key, String value, Map<String, String> headers) {
    Map<String, byte[]> bytes = new HashMap<>();
    headers.forEach((name, text) -> bytes.put(name, text.getBytes(UTF_8)));
    return new RecordSample(
        key == null ? null : key.getBytes(UTF_8), value.getBytes(UTF_8), bytes, false);
  }

  private static Sniffed look(IntFunction<RecordSample> record) {
    return RecordGuess.look(records(record), id -> Optional.empty());
  }

  private static List<RecordSample> records(IntFunction<RecordSample> record) {
    List<RecordSample> records = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      records.add(record.apply(i));
    }
    return records;
  }

  private static Sniffed json(IntFunction<String> value) {
    return look(i -> record(null, value.apply(i), Map.of()));
  }

  private static Sniffed binary(IntFunction<ByteBuffer> value) {
    return look(
        i -> new RecordSample("k".getBytes(UTF_8), value.apply(i).array(), Map.of(), false));
  }

  private static Sniffed framed(RecordSample.Schemas schemas) {
    return RecordGuess.look(
        records(
            i ->
                new RecordSample(
                    null,
                    ByteBuffer.allocate(12).put((byte) 0).putInt(7).put((byte) 2).putInt(i).array(),
                    Map.of(),
                    false)),
        schemas);
  }

  /** As the printed command reads other records. */
  private static List<Reading> readings(Sniffed found, IntFunction<String> value) throws Exception {
    List<String> words = new ArrayList<>(List.of("raw", "--name", "raw"));
    words.addAll(found.arguments());
    RecordReader reader =
        ImportCommand.reader(words, WeirConfig.of(new Properties(), Map.of(), Map.of()));
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] bytes = value.apply(i).getBytes(UTF_8);
      reader.read(new ConsumerRecord<>("raw", 0, i, null, bytes));
      readings.addAll(reader.good());
    }
    return readings;
  }
}

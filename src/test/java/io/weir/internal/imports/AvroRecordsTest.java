package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.registry.Registered;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.SchemaRegistry;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import io.weir.reading.RejectReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class AvroRecordsTest {
  private static final String NODE =
      """
      {"type":"record","name":"plant.Node","fields":[
       {"name":"device","type":"string"},
       {"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},
       {"name":"local","type":{"type":"long","logicalType":"local-timestamp-millis"}},
       {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
       {"name":"values","type":{"type":"map","values":["null","double"]}}]}\
      """;
  private static final Schema SCHEMA = new Schema.Parser().parse(NODE);

  /** Schemas by their ids; 403 refuses, 503 does not answer. */
  private static final class Ids implements SchemaRegistry {
    private final Map<Integer, io.weir.internal.registry.Schema> schemas;
    private int asked;

    Ids(Map<Integer, io.weir.internal.registry.Schema> schemas) {
      this.schemas = schemas;
    }

    @Override
    public io.weir.internal.registry.Schema schema(SchemaKey key) {
      asked++;
      if (key instanceof SchemaKey.Guid) {
        throw new RegistryException(Kind.UNKNOWN_PATH, "404");
      }
      int id = ((SchemaKey.Id) key).id();
      if (id == 403 || id == 503) {
        throw new RegistryException(id == 403 ? Kind.REFUSED : Kind.UNAVAILABLE, "no answer");
      }
      if (id == 404) {
        throw new RegistryException(Kind.UNKNOWN_PATH, "404");
      }
      if (!schemas.containsKey(id)) {
        throw new RegistryException(Kind.MISSING, "no schema " + id);
      }
      return schemas.get(id);
    }

    @Override
    public Registered version(String subject, int version) {
      return new Registered(subject, version, version, schema(new SchemaKey.Id(version)));
    }

    @Override
    public int register(String subject, io.weir.internal.registry.Schema schema) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Registered lookUp(String subject, io.weir.internal.registry.Schema schema) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Registered latest(String subject) {
      throw new RegistryException(Kind.MISSING, "no subject " + subject);
    }

    @Override
    public List<String> subjects() {
      return List.of();
    }

    @Override
    public void delete(String subject) {
      throw new UnsupportedOperationException();
    }
  }

  private static io.weir.internal.registry.Schema avro(String text) {
    return new io.weir.internal.registry.Schema("AVRO", text, List.of());
  }

  private static AvroRecords registry(String text) {
    return new AvroRecords(Optional.empty(), Optional.of(new Ids(Map.of(7, avro(text)))));
  }

  private static AvroRecords bare(String text) {
    return new AvroRecords(Optional.of(text), Optional.empty());
  }

  private static GenericData.Record node(long micros) {
    return new GenericRecordBuilder(SCHEMA)
        .set("device", "press-1")
        .set("at", micros)
        .set("local", 7_200_000L)
        .set(
            "price",
            new Conversions.DecimalConversion()
                .toBytes(
                    new BigDecimal("-12.50"),
                    SCHEMA.getField("price").schema(),
                    SCHEMA.getField("price").schema().getLogicalType()))
        .set("values", Map.of("temp", 71.5))
        .build();
  }

  private static byte[] encoded(Schema schema, Object value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(value, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static byte[] framed(int id, byte[] value) {
    return ByteBuffer.allocate(5 + value.length).put((byte) 0).putInt(id).put(value).array();
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] value) {
    return new ConsumerRecord<>("t", 0, 0, "k".getBytes(), value);
  }

  private static List<Reading> readings(AvroRecords records, byte[] value, String... options)
      throws UndecodableException {
    Map<String, String> given = new java.util.HashMap<>(Map.of("sensor-id", "{path:$.device}"));
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(given),
            Limits.DEFAULT,
            RecordText.Time.TEXT_OR_RECORD,
            100_000);
    text.read(records.decode(record(value)), "5", part -> part);
    assertThat(text.refused()).isEmpty();
    return List.copyOf(text.good());
  }

  @Test
  void frameWithRegistry_isMappedByThePathsOfJson() throws Exception {
    byte[] value = framed(7, encoded(SCHEMA, node(1_234_567)));
    assertThat(
            readings(
                registry(NODE),
                value,
                "json-value",
                "$.values.*",
                "json-timestamp",
                "$.at",
                "sensor-id",
                "{path:$.device}/{column}"))
        .containsExactly(new Reading("press-1/temp", 1_234, 71.5));
    assertThat(readings(registry(NODE), value, "json-value", "$.price"))
        .containsExactly(new Reading("press-1", 5, -12.5));
  }

  @Test
  void localTime_isOfTheMappingsZone_whateverTheFormatOfTexts() throws Exception {
    assertThat(
            readings(
                bare(NODE),
                encoded(SCHEMA, node(0)),
                "json-value",
                "$.price",
                "json-timestamp",
                "$.local",
                "time-format",
                "epoch-s",
                "time-zone",
                "+01:00"))
        .containsExactly(new Reading("press-1", 3_600_000, -12.5));
  }

  @Test
  void containerFile_isAllItsValues() throws Exception {
    for (CodecFactory codec : List.of(CodecFactory.nullCodec(), CodecFactory.deflateCodec(6))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (DataFileWriter<Object> writer =
          new DataFileWriter<>(new GenericDatumWriter<>(SCHEMA)).setCodec(codec)) {
        writer.create(SCHEMA, out);
        for (int i = 0; i < 100; i++) {
          writer.append(node(i));
          if (i % 30 == 0) {
            writer.sync();
          }
        }
      }
      assertThat(readings(registry(NODE), out.toByteArray(), "json-value", "$.price")).hasSize(100);
    }
  }

  /** A record of 4 MiB could be 4 GiB of texts. */
  @Test
  void containerOfManySmallBlocksThatAreLarge_isRefused() throws Exception {
    Schema text = Schema.create(Schema.Type.STRING);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(text))
            .setCodec(CodecFactory.deflateCodec(9))) {
      writer.create(text, out);
      for (int i = 0; i < 3; i++) {
        writer.append("x".repeat(6 << 20));
        writer.sync();
      }
    }
    assertThat(out.size()).isLessThan(100_000);
    assertRefused(bare("\"int\""), out.toByteArray(), RejectReason.UNDECODABLE, "blocks");
  }

  @Test
  void schemaThatRefersToOthers_isReadWithThem() throws Exception {
    String outer =
        "{\"type\":\"record\",\"name\":\"plant.Outer\",\"fields\":[{\"name\":\"node\",\"type\":\"plant.Node\"}]}";
    io.weir.internal.registry.Schema referring =
        new io.weir.internal.registry.Schema(
            "AVRO",
            outer,
            List.of(new io.weir.internal.registry.Schema.Reference("plant.Node", "node", 7)));
    AvroRecords records =
        new AvroRecords(
            Optional.empty(), Optional.of(new Ids(Map.of(7, avro(NODE), 8, referring))));
    assertThat(
            readings(
                records,
                framed(8, encoded(SCHEMA, node(0))),
                "json-value",
                "$.node.price",
                "sensor-id",
                "{path:$.node.device}"))
        .hasSize(1);
  }

  private static io.weir.internal.registry.Schema referring(int... versions) {
    return new io.weir.internal.registry.Schema(
        "AVRO",
        "\"plant.Node\"",
        IntStream.of(versions)
            .mapToObj(
                each -> new io.weir.internal.registry.Schema.Reference("plant.Node", "node", each))
            .toList());
  }

  /** Of the kinds of failures, only an outage is waited for. */
  @Test
  void referenceThatCannotBeHad_concernsItsRecordAlone() throws Exception {
    Ids ids =
        new Ids(Map.of(8, referring(9), 10, referring(404), 11, referring(503), 12, referring(8)));
    AvroRecords records = new AvroRecords(Optional.empty(), Optional.of(ids));
    for (int id : new int[] {8, 10, 12}) {
      records.prepare(record(framed(id, new byte[1])));
      assertRefused(records, framed(id, new byte[1]), RejectReason.UNKNOWN_SCHEMA, "");
    }
    assertThatThrownBy(() -> records.prepare(record(framed(11, new byte[1]))))
        .isInstanceOf(RegistryException.class);
  }

  @Test
  void manyReferences_areAskedForOnceEach_andNotBeyondALimit() throws Exception {
    Map<Integer, io.weir.internal.registry.Schema> schemas = new HashMap<>();
    IntStream.range(1_000, 2_000).forEach(each -> schemas.put(each, avro("\"int\" " + each)));
    schemas.put(7, avro(NODE));
    schemas.put(8, referring(IntStream.generate(() -> 7).limit(25_000).toArray()));
    schemas.put(9, referring(IntStream.range(1_000, 2_000).toArray()));
    Ids ids = new Ids(schemas);
    AvroRecords records = new AvroRecords(Optional.empty(), Optional.of(ids));
    byte[] value = encoded(SCHEMA, node(0));
    assertThat(readings(records, framed(8, value), "json-value", "$.price")).hasSize(1);
    assertThat(ids.asked).isEqualTo(2);
    assertRefused(records, framed(9, value), RejectReason.UNKNOWN_SCHEMA, "more than 200");
    assertThat(ids.asked).isEqualTo(2 + 201);
  }

  @Test
  void inventedIdsOfOneTopic_refuseNoRegisteredSchemaOfAnother() throws Exception {
    Ids ids = new Ids(Map.of(7, avro("\"boolean\"")));
    AvroRecords records = new AvroRecords(Optional.empty(), Optional.of(ids), () -> 0);
    for (int id = 1_000; id < 1_200; id++) {
      records.prepare(new ConsumerRecord<>("theirs", 0, 0, null, framed(id, new byte[] {1})));
    }
    assertThat(records.decode(new ConsumerRecord<>("ours", 0, 0, null, framed(7, new byte[] {1}))))
        .hasSize(1);
  }

  @Test
  void unknownId_concernsItsRecordAlone_andIsAskedForAgainLater() throws Exception {
    Ids ids = new Ids(Map.of(7, avro(NODE)));
    long[] nowMs = {0};
    AvroRecords records = new AvroRecords(Optional.empty(), Optional.of(ids), () -> nowMs[0]);
    byte[] value = encoded(SCHEMA, node(0));
    records.prepare(record(framed(9, value)));
    assertRefused(records, framed(9, value), RejectReason.UNKNOWN_SCHEMA, "no schema 9");
    assertThat(ids.asked).isEqualTo(1);
    nowMs[0] = AvroRecords.ASKED_AGAIN_AFTER_MS;
    records.prepare(record(framed(9, value)));
    assertThat(ids.asked).isEqualTo(2);
    assertThat(readings(records, framed(7, value), "json-value", "$.price")).hasSize(1);
    assertThat(readings(records, framed(7, value), "json-value", "$.price")).hasSize(1);
    assertThat(ids.asked).isEqualTo(3);
  }

  /** A registry without GUIDs answers that it does not know the path. */
  @Test
  void guidThatTheRegistryCannotKnow_concernsItsRecordAlone() throws Exception {
    AvroRecords records = registry(NODE);
    ConsumerRecord<byte[], byte[]> record = record(new byte[] {9});
    record.headers().add("__value_schema_id", ByteBuffer.allocate(17).put((byte) 1).array());
    records.prepare(record);
    assertThatThrownBy(() -> records.decode(record))
        .isInstanceOfSatisfying(
            UndecodableException.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA));
  }

  @Test
  void manyUnknownIds_areNotAskedForEach_andKnownOnesGoOn() throws Exception {
    Ids ids = new Ids(Map.of(7, avro(NODE)));
    long[] nowMs = {0};
    AvroRecords records = new AvroRecords(Optional.empty(), Optional.of(ids), () -> nowMs[0]);
    byte[] value = encoded(SCHEMA, node(0));
    assertThat(readings(records, framed(7, value), "json-value", "$.price")).hasSize(1);
    for (int id = 1_000; id < 3_000; id++) {
      assertRefused(records, framed(id, value), RejectReason.UNKNOWN_SCHEMA, "");
    }
    assertThat(ids.asked).isEqualTo(101);
    assertThat(readings(records, framed(7, value), "json-value", "$.price")).hasSize(1);
    nowMs[0] = 1_000;
    for (int id = 3_000; id < 4_000; id++) {
      assertRefused(records, framed(id, value), RejectReason.UNKNOWN_SCHEMA, "");
    }
    assertThat(ids.asked).isEqualTo(111);
  }

  @Test
  void registryThatDoesNotAnswer_isWaitedFor() throws Exception {
    AvroRecords records = registry(NODE);
    for (int id : new int[] {403, 503}) {
      assertThatThrownBy(() -> records.prepare(record(framed(id, new byte[0]))))
          .isInstanceOf(RegistryException.class);
    }
  }

  @Test
  void schemaOfAnotherType_orNone_isRefused() throws Exception {
    AvroRecords json =
        new AvroRecords(
            Optional.empty(),
            Optional.of(
                new Ids(
                    Map.of(
                        7, new io.weir.internal.registry.Schema("JSON", "{}", List.of()),
                        8, avro("{\"type\":"),
                        9, avro("[".repeat(100_000))))));
    for (int id = 7; id <= 9; id++) {
      assertRefused(json, framed(id, new byte[9]), RejectReason.UNKNOWN_SCHEMA, "");
    }
  }

  @Test
  void hostileRecords_areRefused_andTheNextIsRead() throws Exception {
    String list = "{\"type\":\"record\",\"name\":\"L\",\"fields\":[{\"name\":\"n\",\"type\":%s}]}";
    String doubled = "{\"type\":\"record\",\"name\":\"D0\",\"fields\":[]}";
    for (int i = 1; i < 40; i++) {
      doubled =
          "{\"type\":\"record\",\"name\":\"D%d\",\"fields\":[{\"name\":\"a\",\"type\":%s},{\"name\":\"b\",\"type\":\"D%d\"}]}"
              .formatted(i, doubled, i - 1);
    }
    byte[] many = {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0};
    for (Map.Entry<String, byte[]> each :
        List.of(
            Map.entry(list.formatted("\"L\""), new byte[0]),
            Map.entry(doubled, new byte[0]),
            Map.entry(list.formatted("[\"null\",\"L\"]"), filled(100_000, 2)),
            Map.entry("{\"type\":\"array\",\"items\":\"null\"}", many),
            Map.entry("\"string\"", many),
            Map.entry("\"bytes\"", many),
            Map.entry("{\"type\":\"fixed\",\"name\":\"F\",\"size\":1000000000}", new byte[1]),
            Map.entry("{\"type\":\"map\",\"values\":\"null\"}", filled(9, 0x7f)),
            Map.entry("\"string\"", new byte[] {2, (byte) 0xff}),
            Map.entry("\"int\"", new byte[] {2, 2}),
            Map.entry("[\"null\"]", new byte[] {4}),
            Map.entry("\"long\"", filled(20, 0xff)))) {
      assertRefused(bare(each.getKey()), each.getValue(), RejectReason.UNDECODABLE, "");
    }
    for (byte[] value : List.of(new byte[0], new byte[] {0}, new byte[] {5, 6}, framed(7, many))) {
      AvroRecords records = registry(NODE);
      assertRefused(records, value, RejectReason.UNDECODABLE, "");
      byte[] good = framed(7, encoded(SCHEMA, node(0)));
      assertThat(readings(records, good, "json-value", "$.price")).hasSize(1);
    }
    ByteBuffer bomb = ByteBuffer.allocate(30).put(new byte[] {'O', 'b', 'j', 1, 0}).put(many);
    assertRefused(bare("\"int\""), bomb.array(), RejectReason.UNDECODABLE, "");
  }

  private static byte[] filled(int length, int with) {
    byte[] bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private static void assertRefused(
      AvroRecords records, byte[] value, RejectReason reason, String why) {
    assertThatThrownBy(() -> records.decode(record(value)))
        .isInstanceOfSatisfying(
            UndecodableException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(why);
  }

  /** Twelve bytes, six of them a frame, claim sixteen megabytes less one. */
  @Test
  void lengthBeyondTheEndOfTheRecord_allocatesNothing() throws IOException {
    for (String type : List.of("string", "bytes")) {
      byte[] value = encoded(Schema.create(Schema.Type.LONG), (16L << 20) - 1);
      byte[] padded = Arrays.copyOf(value, 50);
      for (byte[] each : List.of(value, padded)) {
        assertThatThrownBy(
                () -> registry("{\"type\":\"" + type + "\"}").decode(record(framed(7, each))))
            .isInstanceOf(UndecodableException.class)
            .hasMessageContaining(
                "16777215 bytes, and " + (each.length - value.length) + " are left");
      }
    }
  }
}

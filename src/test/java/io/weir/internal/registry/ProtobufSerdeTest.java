package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.weir.internal.registry.Schema.Reference;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.SchemaKey;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.junit.jupiter.api.Test;

class ProtobufSerdeTest {
  private static final WindowSummary WINDOW =
      WindowSummary.newBuilder().setSensorId("boiler-3").setCount(2).setSum(142).build();

  private final String url = "mock://" + UUID.randomUUID();
  private final MockRegistry registry = MockRegistry.scope(url.substring("mock://".length()));

  private Map<String, Object> settings(Object... more) {
    Map<String, Object> settings = new HashMap<>(Map.of(RegistrySettings.URL, url));
    for (int i = 0; i < more.length; i += 2) {
      settings.put((String) more[i], more[i + 1]);
    }
    return settings;
  }

  private <T extends Message> Serde<T> serde(Class<T> type, Object... more) {
    return ProtobufSerde.of(type, settings(more));
  }

  private static FrameHead head(byte[] value) throws Exception {
    return FrameHead.read(value);
  }

  private <T extends Message> byte[] write(String topic, T message, Object... more) {
    try (ProtobufSerializer<T> serializer = new ProtobufSerializer<>()) {
      serializer.configure(settings(more), false);
      return serializer.serialize(topic, message);
    }
  }

  @Test
  void whatIsWritten_isRead_framedAndBareAndNothing() {
    try (Serde<WindowSummary> framed = serde(WindowSummary.class);
        Serde<WindowSummary> bare = ProtobufSerde.of(WindowSummary.class, Map.of())) {
      byte[] value = framed.serializer().serialize("t", WINDOW);
      byte[] payload = bare.serializer().serialize("t", WINDOW);
      assertThat(payload).isEqualTo(WINDOW.toByteArray());
      assertThat(value).isEqualTo(Frame.join(new byte[] {0, 0, 0, 0, 1, 0}, payload));
      for (Serde<WindowSummary> reader : List.of(framed, bare)) {
        assertThat(reader.deserializer().deserialize("t", value)).isEqualTo(WINDOW);
        assertThat(reader.deserializer().deserialize("t", payload)).isEqualTo(WINDOW);
        assertThat(reader.deserializer().deserialize("t", null)).isNull();
        assertThat(reader.serializer().serialize("t", null)).isNull();
      }
    }
  }

  @Test
  void imports_areRegisteredFirst_depthFirst_andProtobufsOwnNotAtAll() throws Exception {
    byte[] value = write("t", TestMessages.message(TestMessages.INNERMOST, "x"));

    Schema top = registry.latest("t-value").schema();
    assertThat(head(value))
        .isEqualTo(new FrameHead(new SchemaKey.Id(3), new MessageIndexes(List.of(1, 0, 0)), 9));
    assertThat(registry.schema(new SchemaKey.Id(3))).isEqualTo(top);
    assertThat(top.references()).containsExactly(new Reference("middle.proto", "middle.proto", 1));
    assertThat(registry.latest("middle.proto").schema().references())
        .containsExactly(new Reference("deep.proto", "deep.proto", 1));
    assertThat(registry.latest("deep.proto"))
        .satisfies(deep -> assertThat(deep.id()).isEqualTo(1))
        .satisfies(deep -> assertThat(deep.schema().references()).isEmpty());
  }

  @Test
  void withoutAutoRegistering_onlyWhatIsThereIsWritten() throws Exception {
    String auto = RegistrySettings.AUTO_REGISTER;
    assertThatThrownBy(() -> write("t", WINDOW, auto, "false"))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("weir.v1.WindowSummary is not registered under subject t-value");
    write("t", WINDOW);
    assertThat(head(write("t", WINDOW, auto, "false")).schema()).isEqualTo(new SchemaKey.Id(1));
  }

  @Test
  void latestVersion_givesIdAndIndexes() throws Exception {
    Object[] latest = {RegistrySettings.AUTO_REGISTER, false, RegistrySettings.USE_LATEST, true};
    registry.register(
        "t-value",
        new Schema(
            Schema.PROTOBUF,
            "package weir.v1; message Before {} message WindowSummary {}",
            List.of()));
    assertThat(head(write("t", WINDOW, latest)).message().path()).containsExactly(1);
    assertThatThrownBy(() -> write("t", Reading.getDefaultInstance(), latest))
        .hasMessageContaining("has no message weir.v1.Reading");
    assertThatThrownBy(() -> write("other", WINDOW, latest))
        .hasMessageContaining("not registered under subject other-value");
  }

  @Test
  void frameOfAnotherTypeOrAnUnknownSchema_isRefused() {
    byte[] window = write("t", WINDOW);
    byte[] reading = write("t", Reading.newBuilder().setSensorId("a").build());
    byte[] unknown = Frame.join(new byte[] {0, 0, 0, 0, 99, 0}, new byte[0]);
    try (Serde<ReadingBatch> checked = serde(ReadingBatch.class);
        Serde<ReadingBatch> unchecked = ProtobufSerde.of(ReadingBatch.class, Map.of())) {
      assertRefused(checked, window, "has message weir.v1.WindowSummary");
      assertRefused(checked, reading, "has message weir.v1.Reading, expected weir.v1.ReadingBatch");
      assertRefused(checked, unknown, "no schema 99");
      assertRefused(unchecked, reading, "another message");
      assertThat(unchecked.deserializer().deserialize("t", unknown))
          .isEqualTo(ReadingBatch.getDefaultInstance());
      assertRefused(checked, new byte[] {0, 1}, "truncated");
      assertRefused(unchecked, new byte[] {-1}, "is not a ReadingBatch");
    }
  }

  private static void assertRefused(Serde<?> serde, byte[] value, String why) {
    assertThatThrownBy(() -> serde.deserializer().deserialize("t", value))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(why);
  }

  @Test
  void header_namesTheSchemaOfABareValue() {
    int id = head(registry, "t-value", write("t", WINDOW));
    UUID guid = MockRegistry.guid(registry.schema(new SchemaKey.Id(id)));
    ByteBuffer good = ByteBuffer.allocate(18).put((byte) 1);
    good.putLong(guid.getMostSignificantBits()).putLong(guid.getLeastSignificantBits());
    Headers headers = new RecordHeaders().add(FrameHead.HEADER, good.array());
    try (Serde<WindowSummary> serde = serde(WindowSummary.class)) {
      byte[] bare = WINDOW.toByteArray();
      assertThat(serde.deserializer().deserialize("t", headers, bare)).isEqualTo(WINDOW);
      headers.add(FrameHead.HEADER, new byte[18]);
      assertThatThrownBy(() -> serde.deserializer().deserialize("t", headers, bare))
          .isInstanceOf(SerializationException.class);
      headers.add(FrameHead.HEADER, null);
      assertThatThrownBy(() -> serde.deserializer().deserialize("t", headers, bare))
          .isInstanceOf(SerializationException.class);
    }
  }

  private static int head(MockRegistry registry, String subject, byte[] value) {
    assertThat(Frame.schemaId(value)).isEqualTo(registry.latest(subject).id());
    return Frame.schemaId(value);
  }

  @Test
  void typeAndSerde_areAlsoSettings() {
    try (ProtobufSerde<Timestamp> byName = new ProtobufSerde<>()) {
      byName.configure(
          settings(ProtobufDeserializer.VALUE_TYPE, "com.google.protobuf.Timestamp"), false);
      Timestamp time = Timestamp.newBuilder().setSeconds(7).build();
      byte[] value = byName.serializer().serialize("t", time);
      assertThat(byName.deserializer().deserialize("t", value)).isEqualTo(time);
    }
    assertThatThrownBy(() -> new ProtobufSerde<>().configure(settings(), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(ProtobufDeserializer.VALUE_TYPE);
    try (Serde<WindowSummary> own =
        serde(WindowSummary.class, ProtobufSerde.SERDE_CLASS, OwnSerde.class.getName())) {
      assertThat(own).isInstanceOf(OwnSerde.class);
      assertThat(((OwnSerde) (Object) own).settings)
          .containsEntry(ProtobufDeserializer.VALUE_TYPE, WindowSummary.class)
          .containsEntry(RegistrySettings.URL, url);
    }
    assertThatThrownBy(() -> serde(WindowSummary.class, ProtobufSerde.SERDE_CLASS, "no.Such"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("weir.serde.class");
  }

  /** A shop's own. */
  public static final class OwnSerde extends Serdes.WrapperSerde<Message> {
    private final Map<String, Object> settings = new HashMap<>();

    public OwnSerde() {
      super(new ProtobufSerializer<>(), new ProtobufDeserializer<>());
    }

    @Override
    public void configure(Map<String, ?> given, boolean isKey) {
      settings.putAll(given);
    }
  }
}

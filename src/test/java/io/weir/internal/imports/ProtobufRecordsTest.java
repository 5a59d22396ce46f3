package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Timestamp;
import io.weir.internal.text.JsonValues.Literal;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class ProtobufRecordsTest {
  private static final byte[] FILES =
      FileDescriptorSet.newBuilder()
          .addFile(ReadingBatch.getDescriptor().getFile().toProto())
          .addFile(Timestamp.getDescriptor().getFile().toProto())
          .build()
          .toByteArray();
  private static final ReadingBatch BATCH =
      ReadingBatch.newBuilder()
          .setGatewayId("plant")
          .addSeries(Series.newBuilder().setSensorId("a").addValue(1.5).addValue(0))
          .build();

  private static ProtobufRecords records(String message) {
    return new ProtobufRecords(FILES, message);
  }

  private static Object decoded(ProtobufRecords records, byte[] value) throws UndecodableException {
    List<Object> values = records.decode(new ConsumerRecord<>("t", 0, 0, null, value));
    assertThat(values).hasSize(1);
    return values.get(0);
  }

  @Test
  void message_isATreeByFieldNames_andZerosAreValues() throws Exception {
    Object tree = decoded(records("weir.v1.ReadingBatch"), BATCH.toByteArray());
    assertThat(tree)
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("gateway_id", "plant")
        .containsEntry("sequence", new Literal("0"));
    Map<?, ?> series = (Map<?, ?>) ((List<?>) ((Map<?, ?>) tree).get("series")).get(0);
    assertThat(series.get("value")).isEqualTo(List.of(new Literal("1.5"), new Literal("0.0")));
  }

  @Test
  void timestamp_isATime() throws Exception {
    byte[] value = Timestamp.newBuilder().setSeconds(5).setNanos(7_000_000).build().toByteArray();
    assertThat(decoded(records("google.protobuf.Timestamp"), value))
        .isEqualTo(Instant.ofEpochMilli(5_007));
    byte[] far = Timestamp.newBuilder().setSeconds(Long.MAX_VALUE).build().toByteArray();
    assertRefused(records("google.protobuf.Timestamp"), far);
  }

  @Test
  void frame_choosesTheMessage() throws Exception {
    byte[] payload = BATCH.toByteArray();
    byte[] first = new byte[6 + payload.length];
    System.arraycopy(payload, 0, first, 6, payload.length);
    assertThat((Map<?, ?>) decoded(records("weir.v1.Series"), first))
        .extracting("gateway_id")
        .isEqualTo("plant");
    byte[] beyond = new byte[] {0, 0, 0, 0, 1, 2, (byte) 0xfe, 1};
    assertRefused(records("weir.v1.Series"), beyond);
  }

  @Test
  void otherBytes_areRefused_andNoDefaultBecomesAReading() {
    ProtobufRecords series = records("weir.v1.ReadingBatch");
    assertRefused(series, "{\"value\":1}".getBytes(StandardCharsets.UTF_8));
    assertRefused(series, new byte[] {0});
    assertRefused(series, new byte[] {(byte) 0xa0, (byte) 0xff, 1, 7});
    byte[] deep = new byte[100_000];
    java.util.Arrays.fill(deep, (byte) 0x0b);
    assertRefused(series, deep);
  }

  /** Counted before they are objects: two bytes would take two hundred. */
  @Test
  void messagesWithoutEnd_areRefused_beforeTheyTakeMemory() throws Exception {
    ProtobufRecords records = records("weir.v1.ReadingBatch");
    byte[] empty = new byte[] {(byte) (ReadingBatch.READINGS_FIELD_NUMBER << 3 | 2), 0};
    byte[] many = new byte[300_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = empty[i % 2];
    }
    assertThatThrownBy(() -> decoded(records, many))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("more than 100000 messages");
    assertThat(decoded(records, java.util.Arrays.copyOf(many, 100_000))).isNotNull();
  }

  @Test
  void descriptorsThatLackSomething_areRefusedInOneLine() {
    byte[] none = FileDescriptorSet.getDefaultInstance().toByteArray();
    assertThatThrownBy(() -> new ProtobufRecords(none, "a.B"))
        .hasMessageContaining("no message a.B");
    assertThatThrownBy(() -> new ProtobufRecords(new byte[] {1}, "a.B"))
        .hasMessageContaining("--include_imports");
    byte[] halved =
        FileDescriptorSet.newBuilder()
            .addFile(
                Timestamp.getDescriptor().getFile().toProto().toBuilder()
                    .addDependency("missing.proto"))
            .build()
            .toByteArray();
    assertThatThrownBy(() -> new ProtobufRecords(halved, "a.B"))
        .hasMessageContaining("lacks missing.proto");
  }

  private static void assertRefused(ProtobufRecords records, byte[] value) {
    assertThatThrownBy(() -> decoded(records, value)).isInstanceOf(UndecodableException.class);
  }
}

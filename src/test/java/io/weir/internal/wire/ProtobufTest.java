package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProtobufTest {
  private static final EventBatch EVENTS = EventBatch.getDefaultInstance();

  @Test
  void unknownFields_areLeftOut() throws Exception {
    EventBatch known = EventBatch.newBuilder().setGatewayId("gw").build();
    byte[] value = with(known.toByteArray(), 1_000, 900_000, 0);
    assertThat(Protobuf.framed(EVENTS, value)).isEqualTo(known);
    EventBatch within =
        EventBatch.newBuilder()
            .addEvents(Event.parseFrom(with(new byte[0], 1_000, 1_100, 0)))
            .build();
    assertThat(Protobuf.read(EVENTS, within.toByteArray()))
        .isEqualTo(EventBatch.newBuilder().addEvents(Event.getDefaultInstance()).build());
  }

  /** The bytes, and fields of these numbers behind them. */
  private static byte[] with(byte[] before, int from, int to, int value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(before);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int number = from; number < to; number++) {
      out.writeUInt32(number, value);
    }
    out.flush();
    return bytes.toByteArray();
  }

  /** Decoders of our own have other limits: what they accept must not fail where it is used. */
  @Test
  void whatWasCheckedBefore_hasNoLimit() {
    byte[] empty = new byte[500_000];
    for (int i = 0; i < empty.length; i += 2) {
      empty[i] = EventBatch.EVENTS_FIELD_NUMBER << 3 | 2;
    }
    assertThat(Protobuf.own(EVENTS, empty).getEventsCount()).isEqualTo(250_000);
  }

  /** Counted before they are objects: two bytes would take two hundred. */
  @Test
  void messagesWithoutContent_haveALimit_andThoseWithContentNone() throws Exception {
    byte[] empty = new byte[1_000_000];
    for (int i = 0; i < empty.length; i += 2) {
      empty[i] = ReadingBatch.READINGS_FIELD_NUMBER << 3 | 2;
    }
    assertThatThrownBy(() -> Protobuf.read(ReadingBatch.getDefaultInstance(), empty))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("more than 100000 messages");
    Event event = Event.newBuilder().setKey("key").setType("opened").setTimestampMs(1).build();
    EventBatch.Builder many = EventBatch.newBuilder();
    for (int i = 0; i < 110_000; i++) {
      many.addEvents(event);
    }
    assertThat(Protobuf.read(EVENTS, many.build().toByteArray()).getEventsCount())
        .isEqualTo(110_000);
  }

  /** Each replaces the one before; the decoder of batches counts none of them either. */
  @Test
  void elementsThatReplaceEachOther_areNotCounted() throws Exception {
    ByteArrayOutputStream reading = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(reading);
    for (int i = 0; i < 4_100_000; i++) {
      out.writeEnum(Reading.QUALITY_FIELD_NUMBER, i % 100);
    }
    out.flush();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream whole = CodedOutputStream.newInstance(bytes);
    whole.writeByteArray(ReadingBatch.READINGS_FIELD_NUMBER, reading.toByteArray());
    whole.flush();
    assertThat(
            Protobuf.read(ReadingBatch.getDefaultInstance(), bytes.toByteArray())
                .getReadings(0)
                .getQualityValue())
        .isEqualTo(99);
  }

  /** Each becomes an object with two names: 300,000 would take a hundred megabytes. */
  @Test
  void numbersThatAnOpenEnumDoesNotKnow_haveALimit_andKnownOnesNone() throws Exception {
    DynamicMessage type = DynamicMessage.getDefaultInstance(messageWithEnums());
    for (boolean packed : new boolean[] {true, false}) {
      assertThat(Protobuf.read(type, enums(300_000, 0, packed)).getAllFields()).hasSize(1);
      byte[] unknown = enums(300_000, 1, packed);
      assertThatThrownBy(() -> Protobuf.read(type, unknown))
          .isInstanceOf(UndecodableException.class)
          .hasMessageContaining("more than 4000000 values");
    }
  }

  private static Descriptor messageWithEnums() throws DescriptorValidationException {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder().setName("enums.proto").setSyntax("proto3");
    file.addEnumTypeBuilder().setName("State").addValueBuilder().setName("OFF").setNumber(0);
    file.addMessageTypeBuilder()
        .setName("States")
        .addFieldBuilder()
        .setName("states")
        .setNumber(1)
        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)
        .setType(FieldDescriptorProto.Type.TYPE_ENUM)
        .setTypeName("State");
    return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0])
        .findMessageTypeByName("States");
  }

  private static byte[] enums(int count, int step, boolean packed) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < count; i++) {
      if (packed) {
        out.writeEnumNoTag(i * step);
      } else {
        out.writeEnum(1, i * step);
      }
    }
    out.flush();
    if (!packed) {
      return bytes.toByteArray();
    }
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    CodedOutputStream whole = CodedOutputStream.newInstance(field);
    whole.writeByteArray(1, bytes.toByteArray());
    whole.flush();
    return field.toByteArray();
  }

  @Test
  void groupsInGroups_andOtherBytes_areRefused() {
    byte[] deep = new byte[1_000_000];
    Arrays.fill(deep, (byte) 0x0b);
    for (byte[] each : new byte[][] {deep, {0x0c}, {0x0a, 0x7f}, {0, 0}, null}) {
      assertThatThrownBy(() -> Protobuf.framed(EVENTS, each))
          .isInstanceOf(UndecodableException.class);
    }
  }
}

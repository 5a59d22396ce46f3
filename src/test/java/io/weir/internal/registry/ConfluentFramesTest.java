package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.SchemaKey;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Weir's frames and those of Confluent's own JavaScript client: the same bytes, the same schemas,
 * and each reads the other's. Skipped, with the reason, where Node or its packages are absent.
 */
@Timeout(300)
class ConfluentFramesTest {
  /** A message on a topic of its file's own: each client numbers schemas as they come. */
  private record Sent(String topic, Message message) {
    private Descriptor type() {
      return message.getDescriptorForType();
    }
  }

  private static final List<FileDescriptor> FILES =
      List.of(
          ReadingBatch.getDescriptor().getFile(),
          WindowSummary.getDescriptor().getFile(),
          Timestamp.getDescriptor().getFile(),
          TestMessages.DEEP,
          TestMessages.MIDDLE,
          TestMessages.TOP);

  private static final List<Sent> MESSAGES =
      List.of(
          new Sent("weir.readings", batch()),
          new Sent("weir.readings", ReadingBatch.getDefaultInstance()),
          new Sent("weir.readings", batch().getReadings(0)),
          new Sent("weir.readings", batch().getSeries(0)),
          new Sent(
              "weir.windows",
              WindowSummary.newBuilder()
                  .setSensorId("cam-1142")
                  .setWindowStartMs(1_700_000_000_000L)
                  .setCount(3)
                  .setSum(-0.5)
                  .build()),
          new Sent("top", TestMessages.message(TestMessages.INNERMOST, "nested")),
          new Sent("top", TestMessages.message(TestMessages.OUTER, "")),
          new Sent("top", TestMessages.message(TestMessages.TOP.getMessageType(0), "first")));

  private static ReadingBatch batch() {
    return ReadingBatch.newBuilder()
        .setGatewayId("gateway-ö")
        .setBootId(-1)
        .setSequence(7)
        .addReadings(
            Reading.newBuilder()
                .setSensorId("boiler-3/temperature")
                .setTimestampMs(1_700_000_000_123L)
                .setValue(71.5)
                .setQuality(Quality.QUALITY_BAD))
        .addSeries(
            Series.newBuilder()
                .setSensorId("x")
                .setStartTimestampMs(5)
                .addTimestampDeltaMs(-1)
                .addTimestampDeltaMs(1)
                .addValue(1)
                .addValue(Double.MIN_VALUE))
        .build();
  }

  @Test
  void frames_areTheSameByteForByte_andReadByEachOther() throws Exception {
    Optional<String> whyAbsent = ConfluentClient.whyAbsent();
    assumeTrue(whyAbsent.isEmpty(), () -> whyAbsent.get() + ": not compared with Confluent's");

    String url = "mock://" + UUID.randomUUID();
    MockRegistry registry = MockRegistry.scope(url.substring("mock://".length()));
    List<byte[]> own = new ArrayList<>();
    try (ProtobufSerializer<Message> serializer = new ProtobufSerializer<>()) {
      serializer.configure(Map.of(RegistrySettings.URL, url), false);
      MESSAGES.forEach(sent -> own.add(serializer.serialize(sent.topic(), sent.message())));
    }

    Map<?, ?> answer = (Map<?, ?>) ConfluentClient.ask(question(own));
    List<?> written = (List<?>) answer.get("written");
    List<?> read = (List<?>) answer.get("read");
    assertThat(written).hasSameSizeAs(MESSAGES);
    for (int i = 0; i < MESSAGES.size(); i++) {
      Sent sent = MESSAGES.get(i);
      Map<?, ?> theirs = (Map<?, ?>) written.get(i);
      assertThat(bytes(theirs, "frame")).as(sent.toString()).isEqualTo(own.get(i));
      assertHeader(bytes(theirs, "header"), sent);
      assertSchema(registry.latest(sent.topic() + "-value").schema(), sent, theirs);
      assertThat((Map<?, ?>) read.get(i))
          .isEqualTo(
              Map.of(
                  "type", sent.type().getFullName(),
                  "payload", text(sent.message().toByteArray())));
    }
  }

  private static Map<String, Object> question(List<byte[]> own) {
    FileDescriptorSet.Builder files = FileDescriptorSet.newBuilder();
    FILES.forEach(file -> files.addFile(file.toProto()));
    List<Object> messages = new ArrayList<>();
    List<Object> frames = new ArrayList<>();
    for (int i = 0; i < MESSAGES.size(); i++) {
      Sent sent = MESSAGES.get(i);
      messages.add(
          Map.of(
              "topic", sent.topic(),
              "type", sent.type().getFullName(),
              "payload", text(sent.message().toByteArray())));
      frames.add(Map.of("topic", sent.topic(), "value", text(own.get(i))));
    }
    return Map.of(
        "files", text(files.build().toByteArray()), "messages", messages, "frames", frames);
  }

  private static void assertHeader(byte[] header, Sent sent) throws Exception {
    FrameHead head = FrameHead.read(header);
    assertThat(head.schema()).isInstanceOf(SchemaKey.Guid.class);
    assertThat(head.message()).isEqualTo(MessageIndexes.of(sent.type()));
    assertThat(head.length()).isEqualTo(header.length);
  }

  /** Theirs are descriptors in base64; Weir's own files are texts. */
  private static void assertSchema(Schema own, Sent sent, Map<?, ?> theirs) {
    FileDescriptor file = sent.type().getFile();
    assertThat(own.text()).isEqualTo(ProtoText.of(file).orElse((String) theirs.get("schema")));
    assertThat(theirs.get("schema")).isEqualTo(text(file.toProto().toByteArray()));
    assertThat(theirs.get("references"))
        .isEqualTo(
            own.references().stream()
                .map(r -> List.of(r.name(), r.subject(), String.valueOf(r.version())))
                .toList());
  }

  private static byte[] bytes(Map<?, ?> fields, String name) {
    return Base64.getDecoder().decode((String) fields.get(name));
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}

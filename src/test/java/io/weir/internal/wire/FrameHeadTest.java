package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import io.weir.Seeds;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Frames written down from the format's definition, byte by byte. */
class FrameHeadTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private static void assertHead(String bytes, int id, Integer... path) throws Exception {
    MessageIndexes message = new MessageIndexes(List.of(path));
    assertThat(Frame.head(id, message)).isEqualTo(hex(bytes));
    assertReads(bytes, id, path);
  }

  private static void assertReads(String bytes, int id, Integer... path) throws Exception {
    byte[] head = hex(bytes);
    byte[] value = Frame.join(head, hex("0a 01 67"));
    assertThat(FrameHead.read(value))
        .isEqualTo(
            new FrameHead(new SchemaKey.Id(id), new MessageIndexes(List.of(path)), head.length));
  }

  private static void assertUndecodable(String bytes, String why) {
    assertThatThrownBy(() -> FrameHead.read(hex(bytes)))
        .isInstanceOfSatisfying(
            UndecodableException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.UNDECODABLE))
        .hasMessageContaining(why);
  }

  @Test
  void goldenFrames() throws Exception {
    // Magic 0, the id with its high byte first, and for the first message one 0 byte.
    assertHead("00 00000001 00", 1, 0);
    assertHead("00 0001e240 00", 123_456, 0);
    assertHead("00 7fffffff 00", Integer.MAX_VALUE, 0);
    assertHead("00 ffffffff 00", -1, 0);
    // Others: their count, then each, as zigzag varints: 1 is 02, 2 is 04, 64 is 80 01.
    assertHead("00 00000001 02 02", 1, 1);
    assertHead("00 00000001 02 04", 1, 2);
    assertHead("00 00000001 02 8001", 1, 64);
    // Nested: the outer message first.
    assertHead("00 00000001 04 00 00", 1, 0, 0);
    assertHead("00 00000001 06 02 00 06", 1, 1, 0, 3);
    assertHead("00 00000001 02 feffffff0f", 1, Integer.MAX_VALUE);
  }

  @Test
  void longFormOfTheFirstMessage_isRead() throws Exception {
    assertReads("00 00000001 02 00", 1, 0);
  }

  @Test
  void header_holdsAGuid() throws Exception {
    UUID guid = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");
    String key = "01 89791762233641869674299b90a802e2";
    assertThat(FrameHead.read(hex(key + "00")))
        .isEqualTo(new FrameHead(new SchemaKey.Guid(guid), MessageIndexes.FIRST, 18));
    assertThat(FrameHead.read(hex(key + "04 02 00")))
        .isEqualTo(new FrameHead(new SchemaKey.Guid(guid), new MessageIndexes(List.of(1, 0)), 20));
    assertUndecodable(key, "truncated");
    assertUndecodable("01 8979", "truncated");
    assertUndecodable("02 00000001 00", "neither 0 nor 1");
    assertUndecodable("", "neither 0 nor 1");
  }

  @Test
  void hostileIndexes_areRefusedBeforeAnythingIsMadeOfThem() {
    assertUndecodable("00 00000001 feffffff0f", "2147483647 message indexes");
    assertUndecodable("00 00000001 42" + "00".repeat(33), "33 message indexes");
    assertUndecodable("00 00000001 01", "-1 message indexes");
    assertUndecodable("00 00000001 02 01", "message index -1");
    assertUndecodable("00 00000001 02 ffffffffffffffffffffff", "truncated");
    assertUndecodable("00 00000001 04 00", "truncated");
    assertUndecodable("00 00000001 80", "truncated");
  }

  @Test
  void anyHead_readsAsItWasWritten_andNoneThatBreaksOff() {
    Seeds.forEach(
        300,
        random -> {
          Integer[] path =
              IntStream.range(0, 1 + random.nextInt(MessageIndexes.MOST))
                  .mapToObj(i -> random.nextInt() >>> (1 + random.nextInt(31)))
                  .toArray(Integer[]::new);
          MessageIndexes message = new MessageIndexes(List.of(path));
          int id = random.nextInt();
          byte[] head = Frame.head(id, message);
          assertThat(FrameHead.read(head))
              .isEqualTo(new FrameHead(new SchemaKey.Id(id), message, head.length));
          byte[] shorter = Arrays.copyOf(head, random.nextInt(head.length));
          assertThatThrownBy(() -> FrameHead.read(shorter))
              .isInstanceOf(UndecodableException.class);
        });
  }

  @Test
  void messages_standWhereTheirFileHasThem() throws Exception {
    assertThat(MessageIndexes.of(ReadingBatch.getDescriptor())).isEqualTo(MessageIndexes.FIRST);
    assertThat(MessageIndexes.of(WindowSummary.getDescriptor())).isEqualTo(MessageIndexes.FIRST);
    assertThat(MessageIndexes.of(Reading.getDescriptor()).path()).containsExactly(1);
    // google/protobuf/descriptor.proto: FileDescriptorProto is the second message, DescriptorProto
    // the third, and ExtensionRange the first that is nested in it.
    Descriptor file = FileDescriptorProto.getDescriptor();
    Descriptor nested = DescriptorProto.ExtensionRange.getDescriptor();
    assertThat(MessageIndexes.of(file).path()).containsExactly(1);
    assertThat(MessageIndexes.of(nested).path()).containsExactly(2, 0);
    assertHead("00 00000001 04 04 00", 1, 2, 0);
  }

  @Test
  void indexesThatCannotBe_areNotMade() {
    assertThatThrownBy(() -> new MessageIndexes(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MessageIndexes(List.of(0, -1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

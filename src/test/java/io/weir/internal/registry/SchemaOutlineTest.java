package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import io.weir.internal.wire.MessageIndexes;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaOutlineTest {
  private static String name(String text, Integer... path) {
    return SchemaOutline.of(new Schema(Schema.PROTOBUF, text, List.of()))
        .nameOf(new MessageIndexes(List.of(path)))
        .orElse(null);
  }

  @Test
  void weirsOwnProtos_asTextAndAsDescriptors() throws Exception {
    for (Descriptor message :
        List.of(ReadingBatch.getDescriptor(), WindowSummary.getDescriptor())) {
      String text = Files.readString(Path.of("proto", message.getFile().getFullName()));
      byte[] descriptor = message.getFile().toProto().toByteArray();
      for (String schema : List.of(text, Base64.getEncoder().encodeToString(descriptor))) {
        assertThat(name(schema, 0)).isEqualTo(message.getFullName());
        assertThat(name(schema, 9)).isNull();
      }
    }
  }

  @Test
  void largeFile_namesEveryMessage() {
    byte[] descriptor = DescriptorProtos.getDescriptor().toProto().toByteArray();
    String schema = Base64.getEncoder().encodeToString(descriptor);
    assertEveryName(schema, DescriptorProtos.getDescriptor().getMessageTypes());
    assertThat(name(schema, 2, 0))
        .isEqualTo(DescriptorProto.ExtensionRange.getDescriptor().getFullName());
  }

  private static void assertEveryName(String schema, List<Descriptor> messages) {
    for (Descriptor message : messages) {
      Integer[] path = MessageIndexes.of(message).path().toArray(Integer[]::new);
      assertThat(name(schema, path)).isEqualTo(message.getFullName());
      assertEveryName(schema, MessageIndexes.declared(message.getNestedTypes()));
    }
  }

  @Test
  void text_withEverythingThatMayMislead() {
    String text =
        """
        // message NotMe {
        /* message NorMe { */
        syntax = "proto2"; option java_package = "message Nor.Me {";
        package a.b;
        import 'c.proto';
        enum E { X = 0; }
        message First {
          map<string, int32> counts = 1;
          enum Inner { Y = 0; }
          message Nested { message Deep {} }
          oneof choice { int32 x = 2 [(opt) = { message: "a" }]; group Picked = 3 { } }
          optional group Grouped = 4 { message InGroup {} }
          reserved 5 to 9;
          message Last {}
        }
        service S { rpc Call (First) returns (First) { option (o) = { a: 1 }; } }
        extend First { optional int32 more = 100; }
        local message Second {}
        """;
    assertThat(name(text, 0)).isEqualTo("a.b.First");
    assertThat(name(text, 1)).isEqualTo("a.b.Second");
    assertThat(name(text, 2)).isNull();
    assertThat(name(text, 0, 0)).isEqualTo("a.b.First.Nested");
    assertThat(name(text, 0, 0, 0)).isEqualTo("a.b.First.Nested.Deep");
    assertThat(name(text, 0, 1)).isEqualTo("a.b.First.Picked");
    assertThat(name(text, 0, 2)).isEqualTo("a.b.First.Grouped");
    assertThat(name(text, 0, 2, 0)).isEqualTo("a.b.First.Grouped.InGroup");
    assertThat(name(text, 0, 3)).isEqualTo("a.b.First.Last");
    assertThat(name("message Alone {}", 0)).isEqualTo("Alone");
  }

  @Test
  void whatIsNoProtobuf_namesNothing() {
    assertThat(name("", 0)).isNull();
    assertThat(name("}}}", 0)).isNull();
    assertThat(name("AAAA", 0)).isNull();
    assertThat(name("abc", 0)).isNull();
    Schema avro = new Schema("AVRO", "message A {}", List.of());
    assertThat(SchemaOutline.of(avro).nameOf(MessageIndexes.FIRST)).isEmpty();
  }

  @Test
  void longStrings_overflowNoStack() {
    String literal = "ab\\\"".repeat(100_000);
    for (String quote : List.of("\"", "'")) {
      String text = "option a = " + quote + literal + quote + "; message M {}";
      assertThat(name(text, 0)).isEqualTo("M");
    }
    assertThat(name("message M {} option a = \"" + literal, 0)).isEqualTo("M");
  }

  /** Full names and paths of messages that nest cost the square of their depth. */
  @Test
  void deepMessages_andLongNames_areNamedOnlyWhereTheyCanBeAskedFor() {
    String deep = "message a {".repeat(90_000);
    assertThat(name(deep, Collections.nCopies(32, 0).toArray(Integer[]::new)))
        .isEqualTo("a" + ".a".repeat(31));
    String longName = "message " + "b".repeat(100_000) + " {" + "message c {}".repeat(70_000);
    assertThat(name(longName, 0)).isNull();
    assertThat(name(longName, 0, 1)).isNull();
    assertThat(name("message d {}".repeat(80_000), 9_999)).isEqualTo("d");
    assertThat(name("message d {}".repeat(80_000), 10_000)).isNull();
    assertThat(name("message d {}".repeat(90_000), 0)).isNull();
  }

  /** Protobuf reads a hundred levels; deeper ones overflow the stack of who builds them. */
  @Test
  void deepDescriptors_nameNothing() {
    DescriptorProto message = DescriptorProto.newBuilder().setName("a").build();
    for (int depth = 0; depth < 200; depth++) {
      message = DescriptorProto.newBuilder().setName("a").addNestedType(message).build();
    }
    byte[] file =
        DescriptorProtos.FileDescriptorProto.newBuilder()
            .addMessageType(message)
            .build()
            .toByteArray();
    assertThat(name(Base64.getEncoder().encodeToString(file), 0)).isNull();
  }
}

package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.weir.v1.ControlRecord;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtoTextTest {
  private static final FileDescriptor WINDOWS = WindowSummary.getDescriptor().getFile();

  /** A text as a serializer writes it from a descriptor. */
  private static final String PRINTED =
      """
      syntax = "proto3";
      package p;
      option java_package = 'io.p';
      enum Kind { KIND_UNSPECIFIED = 0; KIND_A = 1; }
      message First { optional double x = 1; .p.Kind kind = 2; repeated p.First.In in = 3;
        message In { int64 a = 1; } }
      message Second {}
      """;

  /** The same as a person writes it. */
  private static final String WRITTEN =
      """
      // A comment; with "signs" { of all kinds.
      syntax = "proto3";

      option java_package = "io.p";
      package p;

      message First {
        /* Of x; */ optional double x = 1; // x
        Kind kind = 2;
        message In {
          int64 a = 1;
        }
        repeated In in = 3;
      }
      message Second {
      }
      enum Kind {
        KIND_UNSPECIFIED = 0;
        KIND_A = 1;
      }
      """;

  @Test
  void weirsFiles_areRegisteredAsTheirTexts() {
    for (FileDescriptor file :
        List.of(
            ReadingBatch.getDescriptor().getFile(),
            WINDOWS,
            EventBatch.getDescriptor().getFile(),
            SensorStatus.getDescriptor().getFile(),
            ControlRecord.getDescriptor().getFile())) {
      String text = ProtoText.of(file).orElseThrow();
      SchemaOutline outline = SchemaOutline.of(new Schema(Schema.PROTOBUF, text, List.of()));
      assertThat(text).contains("syntax = \"proto3\";");
      file.getMessageTypes()
          .forEach(message -> assertThat(outline.find(message.getFullName())).isPresent());
    }
    assertThat(ProtoText.of(TestMessages.TOP)).isEmpty();
  }

  @Test
  void texts_thatDeclareTheSame_areTheSame() {
    assertThat(ProtoText.areSame(PRINTED, WRITTEN)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "double x = 1 | double x = 4",
        "double x = 1 | double y = 1",
        "double x = 1 | float x = 1",
        "optional double | double",
        "KIND_A = 1 | KIND_A = 2",
        "message Second {} |",
        "message First | message Zero {} message First",
        "message Second {} | message Second {} message Third {}",
        "package p | package q",
        "int64 a = 1; | int64 a = 1; }",
      })
  void texts_thatDeclareSomethingElse_areNot(String part, String other) {
    String changed = PRINTED.replace(part, other == null ? "" : other);
    assertThat(changed).isNotEqualTo(PRINTED);
    assertThat(ProtoText.areSame(PRINTED, changed)).isFalse();
  }

  @Test
  void hostileTexts_areReadInOnePass() {
    for (String text : List.of("{".repeat(500_000), "a{".repeat(200_000), "\"".repeat(500_000))) {
      assertThat(ProtoText.areSame(text, PRINTED)).isFalse();
    }
  }

  @Test
  void equalText_isNotRegisteredAgain() {
    MockRegistry registry = MockRegistry.scope(UUID.randomUUID().toString());
    MessageSchemas schemas = new MessageSchemas(registry, RegistrySettings.of(Map.of()));
    String text = ProtoText.of(WINDOWS).orElseThrow().replaceAll("//[^\n]*\n", "\n");
    int id = registry.register("s", new Schema(Schema.PROTOBUF, text, List.of()));

    assertThat(schemas.register("s", WINDOWS)).isEqualTo(id);
    assertThat(schemas.lookUp("s", WINDOWS).id()).isEqualTo(id);
    assertThat(registry.latest("s").version()).isOne();
  }

  @Test
  void anotherText_isAnOlderVersion() {
    MockRegistry registry = MockRegistry.scope(UUID.randomUUID().toString());
    MessageSchemas schemas = new MessageSchemas(registry, RegistrySettings.of(Map.of()));
    registry.register("s", new Schema(Schema.PROTOBUF, PRINTED, List.of()));

    schemas.register("s", WINDOWS);

    assertThat(registry.latest("s").version()).isEqualTo(2);
    assertThat(registry.latest("s").schema().text()).isEqualTo(ProtoText.of(WINDOWS).orElseThrow());
  }
}

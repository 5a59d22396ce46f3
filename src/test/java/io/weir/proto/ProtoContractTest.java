package io.weir.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import io.weir.v1.ControlRecord;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import io.weir.v1.RedriveMark;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The protos against the descriptor set that was committed: gateways in the field know that one.
 */
class ProtoContractTest {
  private static final Path COMMITTED = Path.of("proto", "weir", "v1", "weir.v1.binpb");

  /** Rewrites the set: for whoever added something. */
  private static final boolean WRITE = Boolean.getBoolean("weir.descriptors.write");

  private static FileDescriptorSet now() {
    return FileDescriptorSet.newBuilder()
        .addFile(ReadingBatch.getDescriptor().getFile().toProto())
        .addFile(WindowSummary.getDescriptor().getFile().toProto())
        .addFile(RedriveMark.getDescriptor().getFile().toProto())
        .addFile(ControlRecord.getDescriptor().getFile().toProto())
        .addFile(EventBatch.getDescriptor().getFile().toProto())
        .addFile(SensorStatus.getDescriptor().getFile().toProto())
        .build();
  }

  private static FileDescriptorSet committed() throws IOException {
    return FileDescriptorSet.parseFrom(Files.readAllBytes(COMMITTED));
  }

  @Test
  void protos_breakNobody() throws IOException {
    assertThat(ProtoChanges.breaking(committed(), now()))
        .as("changes that others cannot follow")
        .isEmpty();
  }

  @Test
  void committedSet_hasWhatWasAdded() throws IOException {
    if (WRITE && ProtoChanges.breaking(committed(), now()).isEmpty()) {
      Files.write(COMMITTED, now().toByteArray());
    }
    assertThat(committed())
        .as("%s lacks what was added: write it with -Dweir.descriptors.write=true", COMMITTED)
        .isEqualTo(now());
  }

  @Test
  void breakingChanges_areFound() {
    assertFound("message 0 of weir.v1", file -> swapMessages(file, 0, 1));
    assertFound("message 2 of weir.v1", file -> file.removeMessageType(2));
    assertFound("weir.v1.ReadingBatch.sequence", file -> field(file, 2).setNumber(9));
    assertFound("weir.v1.ReadingBatch.sequence", file -> field(file, 2).setType(Type.TYPE_FIXED64));
    assertFound("sequence is gone", file -> field(file, 2).setName("seq"));
    assertFound("sequence is gone", file -> file.getMessageTypeBuilder(0).removeField(2));
    assertFound("QUALITY_BAD", file -> file.getEnumTypeBuilder(0).getValueBuilder(3).setNumber(7));
    assertFound("QUALITY_BAD is gone", file -> file.getEnumTypeBuilder(0).removeValue(3));
    assertFound("package", file -> file.setPackage("weir.v2"));
    assertFound("weir/v1/readings.proto is gone", file -> file.setName("readings.proto"));
  }

  @Test
  void additions_areNoBreakingChanges() {
    assertThat(
            ProtoChanges.breaking(
                now(),
                changed(
                    file ->
                        file.addMessageType(DescriptorProto.newBuilder().setName("More"))
                            .getMessageTypeBuilder(0)
                            .addField(
                                FieldDescriptorProto.newBuilder().setName("more").setNumber(6)))))
        .isEmpty();
  }

  private static FieldDescriptorProto.Builder field(FileDescriptorProto.Builder file, int index) {
    return file.getMessageTypeBuilder(0).getFieldBuilder(index);
  }

  private static void swapMessages(FileDescriptorProto.Builder file, int a, int b) {
    DescriptorProto first = file.getMessageType(a);
    file.setMessageType(a, file.getMessageType(b)).setMessageType(b, first);
  }

  private static FileDescriptorSet changed(Consumer<FileDescriptorProto.Builder> change) {
    FileDescriptorSet.Builder set = now().toBuilder();
    change.accept(set.getFileBuilder(0));
    return set.build();
  }

  private static void assertFound(String expected, Consumer<FileDescriptorProto.Builder> change) {
    assertThat(ProtoChanges.breaking(now(), changed(change)))
        .anySatisfy(line -> assertThat(line).contains(expected));
  }
}

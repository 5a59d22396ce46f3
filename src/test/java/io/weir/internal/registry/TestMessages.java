package io.weir.internal.registry;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Timestamp;
import java.util.List;

/**
 * Messages that are not Weir's: nested ones, one behind a map field, and a file that imports
 * another one, which imports a third.
 *
 * <pre>
 * deep.proto    package deep;   message Deep { string id = 1; }
 * middle.proto  package middle; import deep; message Middle { Deep deep = 1; }
 * top.proto     package top;    import middle, google/protobuf/timestamp;
 *               message First { string id = 1; }
 *               message Outer { map&lt;string, string&gt; tags = 1; Middle middle = 2;
 *                               message Inner { message Innermost { string id = 1; } } }
 * </pre>
 */
final class TestMessages {
  static final FileDescriptor DEEP = file("deep", message("Deep", string("id", 1)));
  static final FileDescriptor MIDDLE =
      file("middle", message("Middle", of("deep", 1, ".deep.Deep")), DEEP);
  static final FileDescriptor TOP = top();

  static final Descriptor OUTER = TOP.findMessageTypeByName("Outer");
  static final Descriptor INNERMOST =
      OUTER.findNestedTypeByName("Inner").findNestedTypeByName("Innermost");

  private TestMessages() {}

  private static FileDescriptor top() {
    DescriptorProto entry =
        message("TagsEntry", string("key", 1), string("value", 2)).toBuilder()
            .setOptions(MessageOptions.newBuilder().setMapEntry(true))
            .build();
    FieldDescriptorProto tags =
        of("tags", 1, ".top.Outer.TagsEntry").toBuilder().setLabel(Label.LABEL_REPEATED).build();
    DescriptorProto inner =
        message("Inner").toBuilder().addNestedType(message("Innermost", string("id", 1))).build();
    DescriptorProto outer =
        message("Outer", tags, of("middle", 2, ".middle.Middle")).toBuilder()
            .addNestedType(entry)
            .addNestedType(inner)
            .build();
    return build(
        proto("top").addMessageType(message("First", string("id", 1))).addMessageType(outer),
        MIDDLE,
        Timestamp.getDescriptor().getFile());
  }

  private static DescriptorProto message(String name, FieldDescriptorProto... fields) {
    return DescriptorProto.newBuilder().setName(name).addAllField(List.of(fields)).build();
  }

  private static FieldDescriptorProto string(String name, int number) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setLabel(Label.LABEL_OPTIONAL)
        .setType(Type.TYPE_STRING)
        .build();
  }

  private static FieldDescriptorProto of(String name, int number, String message) {
    return string(name, number).toBuilder().setType(Type.TYPE_MESSAGE).setTypeName(message).build();
  }

  private static FileDescriptorProto.Builder proto(String name) {
    return FileDescriptorProto.newBuilder()
        .setSyntax("proto3")
        .setName(name + ".proto")
        .setPackage(name);
  }

  private static FileDescriptor file(
      String name, DescriptorProto message, FileDescriptor... imports) {
    return build(proto(name).addMessageType(message), imports);
  }

  private static FileDescriptor build(FileDescriptorProto.Builder file, FileDescriptor... imports) {
    for (FileDescriptor imported : imports) {
      file.addDependency(imported.getFullName());
    }
    try {
      return FileDescriptor.buildFrom(file.build(), imports);
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  /** A message with its field {@code id} set, or else empty. */
  static DynamicMessage message(Descriptor type, String id) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    if (type.findFieldByName("id") != null) {
      message.setField(type.findFieldByName("id"), id);
    }
    return message.build();
  }
}

package io.weir.internal.imports;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
import io.weir.internal.text.JsonValues.Literal;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Records in protobuf by a set of descriptors. A frame of a schema registry, before the message or
 * in a header, chooses a message of the file that has the named one. Fields without presence have
 * their default, so a zero is a value. One thread.
 */
public final class ProtobufRecords implements RecordDecoder {
  private static final String WRAPPERS = "google/protobuf/wrappers.proto";
  private static final String TIMESTAMP = "google.protobuf.Timestamp";

  private final Descriptor named;
  private int left;

  /**
   * @param descriptors of {@code protoc --include_imports --descriptor_set_out}
   * @param message the full name of a message
   * @throws IllegalArgumentException in one line, if it is none, or lacks the message
   */
  public ProtobufRecords(byte[] descriptors, String message) {
    Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
    try {
      Protobuf.read(FileDescriptorSet.getDefaultInstance(), descriptors)
          .getFileList()
          .forEach(file -> files.put(file.getName(), file));
    } catch (UndecodableException e) {
      throw new IllegalArgumentException(
          "not a descriptor set: expected: of protoc --include_imports --descriptor_set_out", e);
    }
    Map<String, FileDescriptor> built = new HashMap<>();
    Descriptor found = null;
    for (String name : files.keySet()) {
      for (Descriptor each : build(name, files, built, 0).getMessageTypes()) {
        found = found == null ? within(each, message) : found;
      }
    }
    if (found == null) {
      throw new IllegalArgumentException("no message " + message + " in the descriptor set");
    }
    named = found;
  }

  private static FileDescriptor build(
      String name,
      Map<String, FileDescriptorProto> files,
      Map<String, FileDescriptor> built,
      int depth) {
    FileDescriptorProto file = files.get(name);
    if (file == null || depth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "the descriptor set lacks " + name + ": expected: of protoc --include_imports");
    }
    FileDescriptor known = built.get(name);
    if (known == null) {
      List<FileDescriptor> imports = new ArrayList<>();
      for (String imported : file.getDependencyList()) {
        imports.add(build(imported, files, built, depth + 1));
      }
      try {
        known = FileDescriptor.buildFrom(file, imports.toArray(new FileDescriptor[0]));
      } catch (DescriptorValidationException e) {
        throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
      }
      built.put(name, known);
    }
    return known;
  }

  private static Descriptor within(Descriptor message, String fullName) {
    Descriptor found = message.getFullName().equals(fullName) ? message : null;
    for (Descriptor nested : message.getNestedTypes()) {
      found = found == null ? within(nested, fullName) : found;
    }
    return found;
  }

  @Override
  public List<Object> decode(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    byte[] value = record.value();
    left = MAX_VALUES;
    try {
      FrameHead head =
          Frame.isFramed(value)
              ? FrameHead.read(value)
              : FrameHead.beside(record.headers(), FrameHead.HEADER);
      Descriptor type = head == null ? named : chosen(head.message());
      int from = Frame.isFramed(value) ? head.length() : 0;
      Message message = Protobuf.read(DynamicMessage.getDefaultInstance(type), value, from);
      if (message.getAllFields().isEmpty()) {
        requireOwn(type, CodedInputStream.newInstance(value, from, value.length - from));
      }
      List<Object> values = new ArrayList<>();
      values.add(tree(message));
      return values;
    } catch (IOException | RuntimeException e) {
      throw UndecodableException.malformed("not a message " + named.getFullName() + ": " + e);
    }
  }

  /** Another message may have no field of this one; one without fields is any message. */
  private static void requireOwn(Descriptor type, CodedInputStream in) throws IOException {
    int tag = in.readTag();
    while (tag != 0 && type.findFieldByNumber(WireFormat.getTagFieldNumber(tag)) == null) {
      in.skipField(tag);
      tag = in.readTag();
      if (tag == 0) {
        throw new IOException("none of its fields is known");
      }
    }
  }

  private Descriptor chosen(MessageIndexes indexes) throws IOException {
    List<Descriptor> messages = named.getFile().getMessageTypes();
    Descriptor chosen = named;
    for (int index : indexes.path()) {
      List<Descriptor> declared = MessageIndexes.declared(messages);
      if (index >= declared.size()) {
        throw new IOException("its file has no message " + indexes.path());
      }
      chosen = declared.get(index);
      messages = chosen.getNestedTypes();
    }
    return chosen;
  }

  private Object tree(Message message) throws IOException {
    Descriptor type = message.getDescriptorForType();
    if (type.getFullName().equals(TIMESTAMP)) {
      long seconds = (Long) message.getField(type.findFieldByNumber(1));
      int nanos = (Integer) message.getField(type.findFieldByNumber(2));
      // Not a time beyond the milliseconds of a long.
      return Instant.ofEpochMilli(Instant.ofEpochSecond(seconds, nanos).toEpochMilli());
    }
    if (type.getFile().getName().equals(WRAPPERS)) {
      return value(message.getField(type.findFieldByNumber(1)), type.findFieldByNumber(1));
    }
    Map<String, Object> members = new LinkedHashMap<>();
    for (FieldDescriptor field : type.getFields()) {
      if (!field.hasPresence() || message.hasField(field)) {
        members.put(field.getName(), member(message.getField(field), field));
      }
    }
    return members;
  }

  private Object member(Object found, FieldDescriptor field) throws IOException {
    if (!field.isRepeated()) {
      return value(found, field);
    }
    if (field.isMapField()) {
      Map<String, Object> members = new LinkedHashMap<>();
      for (Object entry : (List<?>) found) {
        Message each = (Message) entry;
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor of = field.getMessageType().findFieldByNumber(2);
        members.put(each.getField(key).toString(), value(each.getField(of), of));
      }
      return members;
    }
    List<Object> elements = new ArrayList<>();
    for (Object element : (List<?>) found) {
      elements.add(value(element, field));
    }
    return elements;
  }

  private Object value(Object found, FieldDescriptor field) throws IOException {
    if (left-- <= 0) {
      throw new IOException("more than " + MAX_VALUES + " values");
    }
    return switch (field.getType()) {
      case MESSAGE, GROUP -> tree((Message) found);
      case STRING -> found;
      case BYTES -> ((ByteString) found).isEmpty() ? null : List.of();
      case ENUM -> ((EnumValueDescriptor) found).getName();
      case BOOL -> new Literal((Boolean) found ? "1" : "0");
      case FLOAT -> new Literal(Double.toString((Float) found));
      case UINT64, FIXED64 -> new Literal(Long.toUnsignedString((Long) found));
      case UINT32, FIXED32 -> new Literal(Integer.toUnsignedString((Integer) found));
      default -> new Literal(found.toString());
    };
  }
}

package io.weir.internal.registry;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The messages of a protobuf schema: their full names, and their indexes in the file. */
final class SchemaOutline {
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");

  private static final int MAX_TEXT = 1 << 20;

  private final Map<List<Integer>, String> names = new HashMap<>();

  private SchemaOutline() {}

  /** Reads the messages; a schema of another type, or an unreadable or too large one, has none. */
  static SchemaOutline of(Schema schema) {
    SchemaOutline outline = new SchemaOutline();
    if (schema.type().equals(Schema.PROTOBUF) && schema.text().length() <= MAX_TEXT) {
      outline.read(schema.text().strip());
    }
    return outline;
  }

  private void read(String text) {
    if (!BASE64.matcher(text).matches()) {
      new ProtoScanner(text, names::put).scan();
      return;
    }
    try {
      FileDescriptorProto file =
          Protobuf.read(FileDescriptorProto.getDefaultInstance(), Base64.getDecoder().decode(text));
      add(file.getPackage(), List.of(), file.getMessageTypeList());
    } catch (UndecodableException | IllegalArgumentException | StackOverflowError e) {
      names.clear();
    }
  }

  private void add(String scope, List<Integer> outer, List<DescriptorProto> messages) {
    int index = 0;
    for (DescriptorProto message : messages) {
      if (!message.getOptions().getMapEntry()) {
        List<Integer> path = ProtoScanner.appended(outer, index++);
        if (scope.length() + message.getName().length() > ProtoScanner.MAX_NAME
            || names.size() == ProtoScanner.MAX_MESSAGES) {
          continue;
        }
        String name = scope.isEmpty() ? message.getName() : scope + "." + message.getName();
        names.put(path, name);
        if (path.size() < MessageIndexes.MOST) {
          add(name, path, message.getNestedTypeList());
        }
      }
    }
  }

  /** The full name of a message. */
  Optional<String> nameOf(MessageIndexes message) {
    return Optional.ofNullable(names.get(message.path()));
  }

  /** The indexes of the message with a full name. */
  Optional<MessageIndexes> find(String fullName) {
    return names.entrySet().stream()
        .filter(message -> message.getValue().equals(fullName))
        .map(message -> new MessageIndexes(message.getKey()))
        .findFirst();
  }
}

package io.weir.registry;

import com.google.protobuf.Descriptors.Descriptor;
import io.weir.registry.RegistryException.Kind;
import io.weir.wire.FrameHead;
import io.weir.wire.UndecodableException;

/**
 * Whether a frame holds a message of one type: by the registry, which has the schema that the frame
 * names, and by that message's full name there. Safe for many threads.
 */
final class MessageCheck {
  private final SchemaRegistry registry;
  private final String fullName;

  MessageCheck(SchemaRegistry registry, Descriptor message) {
    this.registry = registry;
    this.fullName = message.getFullName();
  }

  /**
   * @throws UndecodableException if the registry has no such schema, or the message is another
   * @throws RegistryException if the registry gives no definite answer
   */
  void require(FrameHead head) throws UndecodableException {
    Schema schema;
    try {
      schema = registry.schema(head.schema());
    } catch (RegistryException e) {
      if (e.kind() == Kind.MISSING) {
        throw UndecodableException.unknownSchema(e.getMessage());
      }
      throw e;
    }
    String found = SchemaOutline.of(schema).nameOf(head.message()).orElse("nothing");
    if (!found.equals(fullName)) {
      throw UndecodableException.unknownSchema(
          head.schema() + " has " + found + " where " + fullName + " belongs");
    }
  }
}

package io.weir.internal.registry;

import com.google.protobuf.Descriptors.Descriptor;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a frame has a message of one type, by the full name in the registered schema. Many
 * registries do not support GUIDs: frames with a GUID are then not checked. Safe for many threads.
 */
final class MessageCheck {
  private static final Logger LOG = LoggerFactory.getLogger(MessageCheck.class);

  private static final int MOST_NAMES = 1_000;

  private final SchemaRegistry registry;
  private final String fullName;

  /** The full names of messages in frames: each schema is read once. */
  private final TimedCache<FrameHead, String> names =
      new TimedCache<>(MOST_NAMES, Long.MAX_VALUE, () -> 0);

  private volatile boolean guidsAreUnknown;

  MessageCheck(SchemaRegistry registry, Descriptor message) {
    this.registry = registry;
    this.fullName = message.getFullName();
  }

  /**
   * @throws UndecodableException if the registry has no such schema, or the message is another
   * @throws RegistryException if the registry gives no definite answer
   */
  void require(FrameHead head) throws UndecodableException {
    boolean byGuid = head.schema() instanceof SchemaKey.Guid;
    if (byGuid && guidsAreUnknown) {
      return;
    }
    Schema schema;
    try {
      schema = registry.schema(head.schema());
    } catch (RegistryException e) {
      if (e.kind() == Kind.MISSING) {
        throw UndecodableException.unknownSchema(e.getMessage());
      }
      if (e.kind() == Kind.UNKNOWN_PATH && byGuid) {
        guidsAreUnknown = true;
        LOG.warn("values with a schema GUID are accepted without a check: {}", e.getMessage());
        return;
      }
      throw e;
    }
    String found = names.get(head);
    if (found == null) {
      found = SchemaOutline.of(schema).nameOf(head.message()).orElse("(unknown)");
      names.put(head, found);
    }
    if (!found.equals(fullName)) {
      throw UndecodableException.unknownSchema(
          head.schema() + " has message " + found + ", expected " + fullName);
    }
  }
}

package io.weir.registry;

import com.google.protobuf.Descriptors.Descriptor;
import io.weir.registry.RegistryException.Kind;
import io.weir.wire.FrameHead;
import io.weir.wire.SchemaKey;
import io.weir.wire.UndecodableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a frame holds a message of one type: by the registry, which has the schema that the frame
 * names, and by that message's full name there. Registries that know no GUIDs are common: what
 * names its schema by one is not checked then. Safe for many threads.
 */
final class MessageCheck {
  private static final Logger LOG = LoggerFactory.getLogger(MessageCheck.class);

  private static final int MOST_NAMES = 1_000;

  private final SchemaRegistry registry;
  private final String fullName;

  /** The full names of messages that frames have named: a schema is read once for each. */
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
        LOG.warn("values with a schema's GUID are read and not checked: {}", e.getMessage());
        return;
      }
      throw e;
    }
    String found = names.get(head);
    if (found == null) {
      found = SchemaOutline.of(schema).nameOf(head.message()).orElse("nothing");
      names.put(head, found);
    }
    if (!found.equals(fullName)) {
      throw UndecodableException.unknownSchema(
          head.schema() + " has " + found + " where " + fullName + " belongs");
    }
  }
}

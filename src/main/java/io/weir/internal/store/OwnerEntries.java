package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.SensorOwners;
import java.io.IOException;
import java.util.Map;

/**
 * The numbers by which sensors name the gateway that made them, as entries of the changelog. Called
 * by the task's thread only.
 */
final class OwnerEntries {
  private final SensorOwners owners;

  OwnerEntries(SensorOwners owners) {
    this.owners = owners;
  }

  /** Writes what changed since the last call. */
  void flush(ChangeLog log) throws IOException {
    for (String gatewayId : owners.removed()) {
      log.put(StateKey.owner(gatewayId), null);
    }
    for (Map.Entry<String, Integer> owner : owners.added().entrySet()) {
      log.put(StateKey.owner(owner.getKey()), varint(owner.getValue()));
    }
    owners.written();
  }

  private static byte[] varint(int number) throws IOException {
    byte[] bytes = new byte[CodedOutputStream.computeUInt32SizeNoTag(number)];
    CodedOutputStream.newInstance(bytes).writeUInt32NoTag(number);
    return bytes;
  }

  void restore(byte[] key, byte[] value) throws IOException {
    String gatewayId = StateKey.gatewayId(key);
    if (value == null) {
      owners.dropRestored(gatewayId);
    } else {
      owners.restore(gatewayId, CodedInputStream.newInstance(value).readUInt32());
    }
  }
}

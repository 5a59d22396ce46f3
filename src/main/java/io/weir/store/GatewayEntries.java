package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.reading.Gateways;
import io.weir.window.SensorOwners;
import java.io.IOException;
import java.util.Map;

/**
 * Gateways as entries of the changelog: one for the sequences of each, and one for the number by
 * which the sensors that it made name it. Called by the task's thread only.
 */
final class GatewayEntries {
  private final Gateways gateways;
  private final SensorOwners owners;
  private final GatewayCodec codec = new GatewayCodec();

  GatewayEntries(Gateways gateways, SensorOwners owners) {
    this.gateways = gateways;
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
    for (String id : gateways.forgotten()) {
      log.put(StateKey.gateway(id), null);
    }
    for (String id : gateways.touched()) {
      log.put(StateKey.gateway(id), codec.encode(gateways.get(id)));
    }
    gateways.written();
  }

  private static byte[] varint(int number) throws IOException {
    byte[] bytes = new byte[CodedOutputStream.computeUInt32SizeNoTag(number)];
    CodedOutputStream.newInstance(bytes).writeUInt32NoTag(number);
    return bytes;
  }

  void restoreGateway(byte[] key, byte[] value) throws IOException {
    String id = StateKey.gatewayId(key);
    if (value == null) {
      gateways.dropRestored(id);
    } else {
      gateways.restore(id, GatewayCodec.decode(value));
    }
  }

  void restoreOwner(byte[] key, byte[] value) throws IOException {
    String gatewayId = StateKey.gatewayId(key);
    if (value == null) {
      owners.dropRestored(gatewayId);
    } else {
      owners.restore(gatewayId, CodedInputStream.newInstance(value).readUInt32());
    }
  }
}

package io.weir.store;

import io.weir.reading.Gateways;
import java.io.IOException;

/** Gateways' sequences as entries of the changelog, one each. Called by the task's thread only. */
final class GatewayEntries {
  private final Gateways gateways;
  private final GatewayCodec codec = new GatewayCodec();

  GatewayEntries(Gateways gateways) {
    this.gateways = gateways;
  }

  /** Writes what changed since the last call. */
  void flush(ChangeLog log) throws IOException {
    for (String id : gateways.forgotten()) {
      log.put(StateKey.gateway(id), null);
    }
    for (String id : gateways.touched()) {
      log.put(StateKey.gateway(id), codec.encode(gateways.get(id)));
    }
    gateways.written();
  }

  void restore(byte[] key, byte[] value) throws IOException {
    String id = StateKey.gatewayId(key);
    if (value == null) {
      gateways.dropRestored(id);
    } else {
      gateways.restore(id, GatewayCodec.decode(value));
    }
  }
}

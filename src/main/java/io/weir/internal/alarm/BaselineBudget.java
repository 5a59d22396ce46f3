package io.weir.internal.alarm;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory of the baselines of a partition, by the gateway that sent a sensor's last batch. Above
 * half of the budget, a gateway that uses an eighth of it gets no more, so that one with thousands
 * of sensors leaves memory for others. A function of the stored state. Not safe for several
 * threads.
 */
final class BaselineBudget {
  /** Budget of a partition: 128 MiB. */
  static final long MOST_BYTES = 128 << 20;

  private final long mostBytes;
  private final Map<String, Long> byGateway = new HashMap<>();
  private long bytes;

  BaselineBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Whether a sensor of a gateway may use this number of additional bytes. */
  boolean hasRoom(String gatewayId, long more) {
    long after = bytes + more;
    return after <= mostBytes / 2
        || after <= mostBytes && byGateway.getOrDefault(gatewayId, 0L) + more <= mostBytes / 8;
  }

  /** Changes the bytes of a gateway's sensors. */
  void grow(String gatewayId, long more) {
    if (more != 0) {
      bytes += more;
      byGateway.merge(gatewayId, more, (one, other) -> one + other == 0 ? null : one + other);
    }
  }

  long bytes() {
    return bytes;
  }

  void clear() {
    byGateway.clear();
    bytes = 0;
  }
}

package io.weir.alarm;

import java.util.HashMap;
import java.util.Map;

/**
 * What the baselines of a partition take in memory, by the gateway that sent a sensor's last batch.
 * Beyond half of the budget a gateway that has an eighth of it gets no more, so that one with
 * thousands of sensors leaves room for the others. A function of what is kept. Not safe for several
 * threads.
 */
final class BaselineBudget {
  /** Of a partition: 128 MiB. */
  static final long MOST_BYTES = 128 << 20;

  private final long mostBytes;
  private final Map<String, Long> byGateway = new HashMap<>();
  private long bytes;

  BaselineBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Whether a gateway's sensor may have so many bytes more. */
  boolean hasRoom(String gatewayId, long more) {
    long after = bytes + more;
    return after <= mostBytes / 2
        || after <= mostBytes && byGateway.getOrDefault(gatewayId, 0L) + more <= mostBytes / 8;
  }

  /** A gateway's sensors have so many bytes more, or less. */
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

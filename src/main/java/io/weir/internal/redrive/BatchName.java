package io.weir.internal.redrive;

import java.util.Comparator;

/** What every copy of a sequenced batch has in common. Boot id and sequence are positive. */
record BatchName(int partition, String gatewayId, long bootId, long sequence)
    implements Comparable<BatchName> {
  /** The tables of the JDK use it where senders choose names with equal hashes. */
  private static final Comparator<BatchName> ORDER =
      Comparator.comparing(BatchName::gatewayId)
          .thenComparingInt(BatchName::partition)
          .thenComparingLong(BatchName::bootId)
          .thenComparingLong(BatchName::sequence);

  @Override
  public int compareTo(BatchName other) {
    return ORDER.compare(this, other);
  }

  /** A boot id is the clock time of the start in milliseconds, shifted left by so many bits. */
  private static final int BOOT_TIME_SHIFT = 20;

  /** Lower bound of the append times of accepted copies, by clocks without skew. */
  long earliestMs() {
    return bootId >>> BOOT_TIME_SHIFT;
  }

  @Override
  public String toString() {
    return "gateway " + gatewayId + ", boot " + bootId + ", sequence " + sequence;
  }
}

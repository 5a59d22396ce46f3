package io.weir.redrive;

/** What every copy of a sequenced batch has in common. Boot id and sequence are positive. */
record BatchName(int partition, String gatewayId, long bootId, long sequence) {
  /** A boot id is the clock time of the start in milliseconds, shifted left by so many bits. */
  private static final int BOOT_TIME_SHIFT = 20;

  /** No copy of it was taken at an earlier append time, by clocks without skew. */
  long earliestMs() {
    return bootId >>> BOOT_TIME_SHIFT;
  }

  @Override
  public String toString() {
    return "gateway " + gatewayId + ", boot " + bootId + ", sequence " + sequence;
  }
}

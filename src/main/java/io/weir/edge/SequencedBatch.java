package io.weir.edge;

import java.util.Objects;

/**
 * A batch with its final bytes.
 *
 * @param bootId the boot id under which the sequence was assigned
 * @param partition of the readings topic, from 0 to 63
 * @param sequence from 1, per boot id and partition
 * @param readings number of its accepted readings, including folded ones
 * @param value a {@code weir.v1.ReadingBatch}, without the schema registry's prefix; shared, do not
 *     modify
 * @param nanos the nanoseconds below the milliseconds of its readings, for a journal that remembers
 *     readings by their exact time; empty if all are 0; shared, do not modify
 */
public record SequencedBatch(
    long bootId, int partition, long sequence, int readings, byte[] value, byte[] nanos) {
  private static final byte[] NO_NANOS = {};

  public SequencedBatch {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(nanos, "nanos");
  }

  /** A batch whose times are whole milliseconds. */
  public SequencedBatch(long bootId, int partition, long sequence, int readings, byte[] value) {
    this(bootId, partition, sequence, readings, value, NO_NANOS);
  }
}

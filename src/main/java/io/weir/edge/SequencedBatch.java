package io.weir.edge;

import java.util.Objects;

/**
 * A batch as it was or will be sent, the same bytes for ever.
 *
 * @param bootId the publisher's start that gave the sequence
 * @param partition of the readings topic, from 0 to 63
 * @param sequence from 1, per boot id and partition
 * @param readings how many accepted readings went into it, folded ones included
 * @param value a {@code weir.v1.ReadingBatch}, without what a schema registry puts before it on the
 *     topic; shared, not to be changed
 */
public record SequencedBatch(
    long bootId, int partition, long sequence, int readings, byte[] value) {
  public SequencedBatch {
    Objects.requireNonNull(value, "value");
  }
}

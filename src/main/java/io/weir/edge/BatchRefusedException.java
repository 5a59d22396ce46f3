package io.weir.edge;

/** The brokers do not take this batch as it is: trying again changes nothing, a person does. */
final class BatchRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient SequencedBatch batch;

  BatchRefusedException(SequencedBatch batch, Throwable cause) {
    super(cause.getMessage(), cause);
    this.batch = batch;
  }

  boolean isOf(SequencedBatch other) {
    return batch == other;
  }
}

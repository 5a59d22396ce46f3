package io.weir.edge;

/** The brokers reject this batch; a retry succeeds only after the topic's settings were changed. */
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

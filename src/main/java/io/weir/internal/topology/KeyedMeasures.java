package io.weir.internal.topology;

/**
 * Counts what handlers of keys do. Called by many stream threads at once. What an aborted
 * transaction did is counted again when it is done again.
 */
public interface KeyedMeasures extends IntakeMeasures {
  /** Which call of a handler. */
  enum Call {
    START,
    EVENT,
    END
  }

  /** What became of a mark of an order to delete a key. */
  enum Deletion {
    DELETED(""),
    NOT_ALIVE(", which is not alive"),
    /** The mark is a copy, or comes after that of a newer order for the key. */
    COPY("; skipped, as it or a newer one was carried out before");

    private final String remark;

    Deletion(String remark) {
      this.remark = remark;
    }

    /** The end of a line that says so. */
    public String remark() {
      return remark;
    }
  }

  /** A mark of an order to delete a key of this application. */
  void deletion(Deletion outcome);

  /** A call returned as it should. */
  void handled(Call call);

  /** A call failed, and its effects were discarded. */
  void failed(Call call);

  /**
   * A timer came due.
   *
   * @param lateMs append time of the record with which it was, less the time at which it was due
   */
  void fired(long lateMs);

  /** What a partition holds; updated every second or so. */
  void holding(int partition, int keys, int timers, int waitingEvents, long bytes);

  /** The task with a partition is closed. */
  void gone(int partition);
}

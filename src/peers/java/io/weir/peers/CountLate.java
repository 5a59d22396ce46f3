package io.weir.peers;

import org.apache.flink.api.common.functions.FilterFunction;

/** Counts what came behind the watermark, and drops it. */
public final class CountLate implements FilterFunction<Part> {
  private static final long serialVersionUID = 1;

  private transient Tally tally;

  @Override
  public boolean filter(Part late) {
    if (tally == null) {
      tally = Tally.open();
    }
    tally.late(late.count);
    return false;
  }
}

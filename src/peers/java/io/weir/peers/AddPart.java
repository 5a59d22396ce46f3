package io.weir.peers;

import org.apache.flink.api.common.functions.AggregateFunction;

/** Adds to the total of a window. */
public final class AddPart implements AggregateFunction<Part, Total, Total> {
  private static final long serialVersionUID = 1;

  private transient Tally tally;

  @Override
  public Total createAccumulator() {
    return new Total();
  }

  @Override
  public Total add(Part part, Total total) {
    if (tally == null) {
      tally = Tally.open();
    }
    tally.counted(part.count);
    return total.add(part.count, part.sum, part.min, part.max);
  }

  @Override
  public Total getResult(Total total) {
    return total;
  }

  @Override
  public Total merge(Total one, Total other) {
    return one.add(other.count, other.sum, other.min, other.max);
  }
}

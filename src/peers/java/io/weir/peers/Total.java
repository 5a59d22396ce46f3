package io.weir.peers;

/** What a window holds while it is open. */
public final class Total {
  public long count;
  public double sum;
  public double min = Double.POSITIVE_INFINITY;
  public double max = Double.NEGATIVE_INFINITY;

  Total add(long more, double sumOfThem, double least, double most) {
    count += more;
    sum += sumOfThem;
    min = Math.min(min, least);
    max = Math.max(max, most);
    return this;
  }
}

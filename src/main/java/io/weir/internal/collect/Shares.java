package io.weir.internal.collect;

/**
 * Divides a batch among the priorities: priority 0 before 1 before 2, but each priority with
 * waiting rows gets at least a tenth. Not safe for several threads.
 */
final class Shares {
  private static final int TENTH = 10;

  /** Tenths of a row that each priority may still send. */
  private final int[] owedTenths = new int[State.PRIORITIES];

  /**
   * * Divides a batch.
   *
   * @param limit number of rows of the batch
   * @param waiting known rows of each priority; need not exceed the limit
   * @return number of rows of each priority; their sum is the smaller of the limit and all waiting
   *     rows
   */
  int[] share(int limit, int[] waiting) {
    int[] shares = new int[waiting.length];
    int left = limit;
    if (sum(waiting) > limit) {
      for (int priority = highest(waiting) + 1; priority < waiting.length; priority++) {
        shares[priority] = due(priority, limit, Math.min(waiting[priority], left));
        left -= shares[priority];
      }
    }
    for (int priority = 0; priority < waiting.length; priority++) {
      int more = Math.min(left, waiting[priority] - shares[priority]);
      shares[priority] += more;
      left -= more;
    }
    return shares;
  }

  /** A tenth of the batch, plus fractions of earlier batches. */
  private int due(int priority, int limit, int most) {
    if (most == 0) {
      return 0;
    }
    int owed = owedTenths[priority] + limit;
    int rows = Math.min(owed / TENTH, most);
    // At most one row is carried over to the next batch: a priority with few rows accumulates no
    // burst.
    owedTenths[priority] = Math.min(owed - rows * TENTH, TENTH);
    return rows;
  }

  private static int highest(int[] waiting) {
    int priority = 0;
    while (priority < waiting.length && waiting[priority] == 0) {
      priority++;
    }
    return priority;
  }

  private static long sum(int[] waiting) {
    long sum = 0;
    for (int rows : waiting) {
      sum += rows;
    }
    return sum;
  }
}

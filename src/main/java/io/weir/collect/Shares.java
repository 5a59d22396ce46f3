package io.weir.collect;

/**
 * Which rows make up a batch: priority 0 before 1 before 2, but for a tenth that is kept for the
 * lowest priority that has rows waiting. Not safe for several threads.
 */
final class Shares {
  private static final int TENTH = 10;

  /** Tenths of a row that the lowest priority is still due. */
  private int owedTenths;

  /**
   * Shares out a batch.
   *
   * @param limit rows of the batch
   * @param waiting rows of each priority, as far as they are known: up to the limit is enough
   * @return how many of each, as many in all as there are and fit
   */
  int[] share(int limit, int[] waiting) {
    int lowest = waiting.length - 1;
    while (lowest > 0 && waiting[lowest] == 0) {
      lowest--;
    }
    long above = 0;
    for (int priority = 0; priority < lowest; priority++) {
      above += waiting[priority];
    }
    int kept = 0;
    if (above + waiting[lowest] > limit && above > 0) {
      owedTenths += limit;
      kept = Math.min(owedTenths / TENTH, Math.min(waiting[lowest], limit));
      owedTenths -= kept * TENTH;
      // What it could not use is not saved up.
      owedTenths = Math.min(owedTenths, TENTH - 1);
    }
    int[] shares = new int[waiting.length];
    int left = limit - kept;
    for (int priority = 0; priority < lowest; priority++) {
      shares[priority] = Math.min(left, waiting[priority]);
      left -= shares[priority];
    }
    shares[lowest] = Math.min(waiting[lowest], kept + left);
    return shares;
  }
}

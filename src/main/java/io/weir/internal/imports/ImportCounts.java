package io.weir.internal.imports;

/**
 * What was committed so far: records = mapped + skipped + refused.
 *
 * @param mapped records whose readings were all written
 * @param skipped tombstones and records without any value
 * @param refused records with a dead letter; their good readings count
 * @param readings readings that were written
 * @param incomplete dead letters that lack parts of their records, and so cannot be taken again
 */
public record ImportCounts(
    long mapped, long skipped, long refused, long readings, long incomplete) {
  static final ImportCounts NONE = new ImportCounts(0, 0, 0, 0);
  static final ImportCounts INCOMPLETE = new ImportCounts(0, 0, 0, 0, 1);

  ImportCounts(long mapped, long skipped, long refused, long readings) {
    this(mapped, skipped, refused, readings, 0);
  }

  ImportCounts plus(ImportCounts more) {
    return new ImportCounts(
        mapped + more.mapped,
        skipped + more.skipped,
        refused + more.refused,
        readings + more.readings,
        incomplete + more.incomplete);
  }

  @Override
  public String toString() {
    return "records "
        + (mapped + skipped + refused)
        + " = mapped "
        + mapped
        + " + skipped "
        + skipped
        + " + refused "
        + refused
        + "; readings "
        + readings
        + (incomplete == 0 ? "" : "; incomplete dead letters, passed over: " + incomplete);
  }
}

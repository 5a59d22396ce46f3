package io.weir.internal.imports;

/**
 * What was committed so far: records = mapped + skipped + refused.
 *
 * @param mapped records whose readings were all written
 * @param skipped tombstones and records without any value
 * @param refused records with a dead letter; their good readings count
 * @param readings readings that were written
 */
public record ImportCounts(long mapped, long skipped, long refused, long readings) {
  static final ImportCounts NONE = new ImportCounts(0, 0, 0, 0);

  ImportCounts plus(ImportCounts more) {
    return new ImportCounts(
        mapped + more.mapped,
        skipped + more.skipped,
        refused + more.refused,
        readings + more.readings);
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
        + readings;
  }
}

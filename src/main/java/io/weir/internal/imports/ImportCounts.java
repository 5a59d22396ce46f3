package io.weir.internal.imports;

/**
 * What was committed so far: records = mapped + skipped + refused.
 *
 * @param mapped records whose readings were all written
 * @param skipped tombstones and records without any value
 * @param refused records with a dead letter; their good readings count
 * @param readings readings that were written
 * @param incomplete dead letters that lack parts of their records, and so cannot be taken again
 * @param tombstones of the skipped records, those without bytes
 * @param refusedReadings readings that were refused in records that could be decoded
 */
public record ImportCounts(
    long mapped,
    long skipped,
    long refused,
    long readings,
    long incomplete,
    long tombstones,
    long refusedReadings) {
  static final ImportCounts NONE = new ImportCounts(0, 0, 0, 0);
  static final ImportCounts INCOMPLETE = new ImportCounts(0, 0, 0, 0, 1, 0, 0);

  ImportCounts(long mapped, long skipped, long refused, long readings) {
    this(mapped, skipped, refused, readings, 0, 0, 0);
  }

  static ImportCounts ofTombstones(int records) {
    return new ImportCounts(0, records, 0, 0, 0, records, 0);
  }

  ImportCounts plus(ImportCounts more) {
    return new ImportCounts(
        mapped + more.mapped,
        skipped + more.skipped,
        refused + more.refused,
        readings + more.readings,
        incomplete + more.incomplete,
        tombstones + more.tombstones,
        refusedReadings + more.refusedReadings);
  }

  long records() {
    return mapped + skipped + refused;
  }

  /** Records without any value, besides tombstones. */
  public long empty() {
    return skipped - tombstones;
  }

  @Override
  public String toString() {
    return "records %d = mapped %d + skipped %d + refused %d; readings %d"
            .formatted(records(), mapped, skipped, refused, readings)
        + (incomplete == 0 ? "" : "; incomplete dead letters, passed over: " + incomplete);
  }
}

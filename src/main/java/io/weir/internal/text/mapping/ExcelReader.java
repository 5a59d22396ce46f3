package io.weir.internal.text.mapping;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;

/**
 * A spreadsheet's serial date: days since 1899-12-30 with their fraction, a local time, rounded to
 * the millisecond. The first sixty days, which Excel counts wrongly, are no dates. One thread.
 */
final class ExcelReader implements TimeReader {
  private static final LocalDate DAY_ZERO = LocalDate.of(1899, 12, 30);
  private static final BigDecimal DAY_MS = BigDecimal.valueOf(86_400_000);
  private static final BigDecimal FIRST = BigDecimal.valueOf(61);

  /** The last day of the year 9999, which is a spreadsheet's too. */
  private static final BigDecimal LAST = BigDecimal.valueOf(2_958_466);

  private final LocalTimes local;
  private final char decimal;

  ExcelReader(LocalTimes local, char decimal) {
    this.local = local;
    this.decimal = decimal;
  }

  @Override
  public Outcome read(String text, String series) {
    BigDecimal days = EpochReader.plainNumber(text, decimal);
    if (days == null || days.compareTo(FIRST) < 0 || days.compareTo(LAST) >= 0) {
      return Outcome.BAD;
    }
    long ms = days.multiply(DAY_MS).setScale(0, RoundingMode.HALF_UP).longValueExact();
    return local.read(DAY_ZERO.atStartOfDay().plusNanos(ms * 1_000_000L), local.zone(), series);
  }

  @Override
  public long millis() {
    return local.millis();
  }
}

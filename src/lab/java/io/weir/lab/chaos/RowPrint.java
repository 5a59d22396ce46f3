package io.weir.lab.chaos;

import java.nio.charset.StandardCharsets;

/** The content of a row of a table, as a print of all its cells. Stateless. */
final class RowPrint {
  private static final char END = '\u0001';
  private static final char NULL = '\u0002';

  private RowPrint() {}

  /** Numbers of 64 bits by their bits, everything else by its text; null is SQL's. */
  static LedgerIndex.Print of(Object... cells) {
    StringBuilder text = new StringBuilder();
    for (Object cell : cells) {
      if (cell == null) {
        text.append(NULL);
      } else if (cell instanceof Double number) {
        text.append(Long.toHexString(Double.doubleToRawLongBits(number)));
      } else {
        text.append(cell);
      }
      text.append(END);
    }
    return LedgerIndex.Print.of(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}

package io.weir.lab.bench;

import java.util.Locale;

/**
 * What is read again and again.
 *
 * @param readings at least so many: the last round of all sensors may be cut short
 * @param part distinguishes loads of one kind; empty for the only one
 * @param signed whether its batches are signed
 */
public record Load(LoadShape shape, LoadForm form, long readings, String part, boolean signed) {
  public Load {
    if (readings < 1) {
      throw new IllegalArgumentException("readings = " + readings + ": expected: 1 or more");
    }
  }

  public Load(LoadShape shape, LoadForm form, long readings) {
    this(shape, form, readings, "", false);
  }

  /** The same batches, signed. */
  Load withSignatures() {
    return new Load(shape, form, readings, part + "_signed", true);
  }

  /** Its name in the results: {@code dense_row}. */
  public String name() {
    return (shape + "_" + form).toLowerCase(Locale.ROOT) + part;
  }

  String topic() {
    return "bench." + name();
  }
}

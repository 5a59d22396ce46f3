package io.weir.internal.input.otlp;

/** What a reading says of a point. */
enum PointPart {
  WHOLE(""),
  COUNT(".count"),
  SUM(".sum"),
  MIN(".min"),
  MAX(".max");

  private final String suffix;

  PointPart(String suffix) {
    this.suffix = suffix;
  }

  /** Of the series' name. */
  String suffix() {
    return suffix;
  }
}

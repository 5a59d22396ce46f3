package io.weir.cli.screen;

/** How a piece of text looks on a terminal of 256 colours. */
public enum Style {
  PLAIN(""),
  BOLD("1"),
  DIM("38;5;245"),
  WINDOWS("38;5;75"),
  LATE("38;5;214"),
  REJECTED("38;5;203"),
  DUPLICATES("38;5;141"),
  ON_THE_WAY("38;5;240"),
  GOOD("38;5;114"),
  ACTIVE("1;38;5;221");

  private final String codes;

  Style(String codes) {
    this.codes = codes;
  }

  public String paint(String text) {
    return codes.isEmpty() || text.isBlank() ? text : "\u001b[" + codes + "m" + text + "\u001b[0m";
  }
}

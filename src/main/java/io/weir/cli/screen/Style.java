package io.weir.cli.screen;

/** The style of a piece of text on a terminal with 256 colours. */
public enum Style {
  PLAIN("", "#d0d0d0"),
  BOLD("1", "#f4f4f4"),
  DIM("38;5;245", "#8a8a8a"),
  WINDOWS("38;5;75", "#5fafff"),
  LATE("38;5;214", "#ffaf00"),
  REJECTED("38;5;203", "#ff5f5f"),
  DUPLICATES("38;5;141", "#af87ff"),
  ON_THE_WAY("38;5;240", "#585858"),
  GOOD("38;5;114", "#87d787"),
  ACTIVE("1;38;5;221", "#ffd75f");

  private final String codes;
  private final String colour;

  Style(String codes, String colour) {
    this.codes = codes;
    this.colour = colour;
  }

  /** The style as attributes of an SVG text. */
  public String svg() {
    String fill = "fill=\"" + colour + "\"";
    return codes.startsWith("1") ? fill + " font-weight=\"bold\"" : fill;
  }

  public String paint(String text) {
    return codes.isEmpty() || text.isBlank() ? text : "\u001b[" + codes + "m" + text + "\u001b[0m";
  }
}

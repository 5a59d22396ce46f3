package io.weir.app;

/** How a line of the log looks. */
public enum LogFormat {
  /** For a terminal. */
  PLAIN,
  /** An object a line, for collectors. */
  JSON
}

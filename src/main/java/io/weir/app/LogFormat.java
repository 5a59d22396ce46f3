package io.weir.app;

/** The format of log lines. */
public enum LogFormat {
  /** For a terminal. */
  PLAIN,
  /** One JSON object a line, for log collectors. */
  JSON
}

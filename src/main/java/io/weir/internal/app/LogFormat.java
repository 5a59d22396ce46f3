package io.weir.internal.app;

/** The format of log lines. */
public enum LogFormat {
  /** For a terminal. */
  PLAIN,
  /** One JSON object a line, for log collectors. */
  JSON,
  /** One JSON object a line, with the fields of the Elastic Common Schema. */
  ECS,
  /** One JSON object a line, with the fields of Google Cloud Logging. */
  GOOGLE
}

package io.weir.internal.app;

/** A system that a process can wait for. */
public enum Dependency {
  KAFKA("Kafka"),
  REGISTRY("the schema registry"),
  DATABASE("PostgreSQL"),
  /** Another process's transaction, which hides records or outputs. */
  TRANSACTION("the end of a transaction");

  private final String text;

  Dependency(String text) {
    this.text = text;
  }

  /** Its name for operators. */
  public String text() {
    return text;
  }
}

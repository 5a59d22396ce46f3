package io.weir.app;

/** The application cannot start yet: Kafka does not answer, or some of its brokers are missing. */
public final class KafkaAwayException extends StartRefusedException {
  /** What to do about it, behind a message that names the address. */
  public static final String REMEDY =
      "; check the address, and that a broker runs there (weir broker is one to try things out)";

  private static final long serialVersionUID = 1;

  KafkaAwayException(String message) {
    super(message);
  }
}

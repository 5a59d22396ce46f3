package io.weir.internal.app;

/** The application cannot start yet: Kafka does not answer, or some of its brokers are missing. */
public final class KafkaAwayException extends StartRefusedException {
  /** The remedy, for the end of a message. */
  public static final String REMEDY =
      "; check the address, and that a broker runs there (weir broker starts one for tests)";

  private static final long serialVersionUID = 1;

  KafkaAwayException(String message) {
    super(message);
  }
}

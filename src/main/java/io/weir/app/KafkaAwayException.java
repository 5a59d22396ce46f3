package io.weir.app;

/** The application cannot start yet: Kafka does not answer, or some of its brokers are missing. */
public final class KafkaAwayException extends StartRefusedException {
  private static final long serialVersionUID = 1;

  KafkaAwayException(String message) {
    super(message);
  }
}

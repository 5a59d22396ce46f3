package io.weir.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/**
 * For short commands: Kafka's clients say nothing unless asked, the command says it in one line.
 */
public final class QuietKafka {
  private QuietKafka() {}

  public static void unlessAsked() {
    if (System.getenv("WEIR_KAFKA_LOG_LEVEL") == null
        && LoggerFactory.getLogger("org.apache.kafka") instanceof Logger logger) {
      logger.setLevel(Level.ERROR);
    }
  }
}

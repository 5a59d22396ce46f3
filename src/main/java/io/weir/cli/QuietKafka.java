package io.weir.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.internal.app.Logs;
import org.slf4j.LoggerFactory;

/** Limits the log in short commands, unless a level is set. */
public final class QuietKafka {
  private QuietKafka() {}

  /** Of Kafka's clients, to errors. */
  public static void unlessAsked() {
    if (!Logs.isKafkaLevelGiven()
        && System.getenv("WEIR_KAFKA_LOG_LEVEL") == null
        && LoggerFactory.getLogger("org.apache.kafka") instanceof Logger logger) {
      logger.setLevel(Level.ERROR);
    }
  }

  /** Limits the log of Weir to warnings: the state of the parts of a command is not its result. */
  public static void ofOwnParts() {
    if (!Logs.isLevelGiven() && LoggerFactory.getLogger("io.weir") instanceof Logger logger) {
      logger.setLevel(Level.WARN);
    }
  }
}

package io.weir.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.app.Logs;
import org.slf4j.LoggerFactory;

/** Limits the log of Kafka's clients to errors in short commands, unless a level is set. */
public final class QuietKafka {
  private QuietKafka() {}

  public static void unlessAsked() {
    if (!Logs.isKafkaLevelGiven()
        && System.getenv("WEIR_KAFKA_LOG_LEVEL") == null
        && LoggerFactory.getLogger("org.apache.kafka") instanceof Logger logger) {
      logger.setLevel(Level.ERROR);
    }
  }
}

package io.weir.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.LoggerFactory;

/** The log's form. Lines are plain text by default. */
public final class Logs {
  private static final String APPENDER = "stderr";
  private static final String CONFIGURATION_FILE = "logback.configurationFile";

  private static volatile LogFormat format = LogFormat.PLAIN;
  private static volatile boolean levelGiven;
  private static volatile boolean kafkaLevelGiven;

  private Logs() {}

  /**
   * Makes logback begin with Weir's own configuration, unless the process names one or has one on
   * its class path. Before the first logger: of an entry point's main alone, as a program that
   * embeds Weir has a log of its own.
   */
  public static void useOwnConfiguration() {
    ClassLoader loader = Logs.class.getClassLoader();
    boolean another =
        System.getProperty(CONFIGURATION_FILE) != null
            || loader.getResource("logback.xml") != null
            || loader.getResource("logback-test.xml") != null;
    if (!another) {
      System.setProperty(CONFIGURATION_FILE, "io/weir/app/logback.xml");
    }
  }

  /** The form of lines now. */
  public static LogFormat format() {
    return format;
  }

  /** Whether a level is set for Weir's own loggers. */
  public static boolean isLevelGiven() {
    return levelGiven;
  }

  /** Whether a level is set for the loggers of Kafka's clients. */
  public static boolean isKafkaLevelGiven() {
    return kafkaLevelGiven;
  }

  /** Uses these settings from now on; there is no way back to plain lines. */
  public static synchronized void use(LogSettings settings) {
    settings.level().ifPresent(level -> set("io.weir", level));
    settings.kafkaLevel().ifPresent(level -> set("org.apache.kafka", level));
    levelGiven |= settings.level().isPresent();
    kafkaLevelGiven |= settings.kafkaLevel().isPresent();
    use(settings.format());
  }

  private static void set(String name, String level) {
    if (LoggerFactory.getLogger(name) instanceof Logger logger) {
      logger.setLevel(Level.valueOf(level));
    }
  }

  private static void use(LogFormat wanted) {
    if (wanted == LogFormat.JSON
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(APPENDER)
            instanceof OutputStreamAppender<ILoggingEvent> appender) {
      appender.setEncoder(json(context));
      format = wanted;
    }
  }

  /** An object a line: when, how grave, who, what, and a throwable with its causes. */
  static JsonEncoder json(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }
}

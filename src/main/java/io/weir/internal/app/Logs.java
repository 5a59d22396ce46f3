package io.weir.internal.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import org.slf4j.LoggerFactory;

/** Configures the log. Lines are plain text by default. */
public final class Logs {
  private static final String APPENDER = "stderr";
  private static final String CONFIGURATION_FILE = "logback.configurationFile";

  private static volatile LogFormat format = LogFormat.PLAIN;
  private static volatile boolean levelGiven;
  private static volatile boolean kafkaLevelGiven;

  private Logs() {}

  /**
   * Makes logback use Weir's configuration, unless the process sets one or has one on its class
   * path. To be called before the first logger, by main methods only: a program that embeds Weir
   * has its own log.
   */
  public static void useOwnConfiguration() {
    ClassLoader loader = Logs.class.getClassLoader();
    boolean another =
        System.getProperty(CONFIGURATION_FILE) != null
            || loader.getResource("logback.xml") != null
            || loader.getResource("logback-test.xml") != null;
    if (!another) {
      System.setProperty(CONFIGURATION_FILE, "io/weir/internal/app/logback.xml");
    }
  }

  /** The current format. */
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

  /** Applies settings; plain lines cannot be restored. */
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
    if (wanted != LogFormat.PLAIN
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(APPENDER)
            instanceof OutputStreamAppender<ILoggingEvent> appender) {
      appender.setEncoder(encoder(wanted, context));
      format = wanted;
    }
  }

  static Encoder<ILoggingEvent> encoder(LogFormat wanted, LoggerContext context) {
    if (wanted == LogFormat.JSON) {
      return json(context);
    }
    StructuredLog encoder = new StructuredLog(wanted);
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  /** One JSON object a line: time, level, logger, message, and a throwable with its causes. */
  static JsonEncoder json(LoggerContext context) {
    JsonEncoder encoder = new PrintableLog.Json();
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

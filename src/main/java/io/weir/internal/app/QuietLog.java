package io.weir.internal.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.joran.util.ConfigurationWatchListUtil;
import org.slf4j.LoggerFactory;

/**
 * The log of a program that embeds Weir and has logback without a configuration: information of the
 * program and of Weir, warnings of Kafka's clients. Logback's default is everything: 1 MB a second.
 */
public final class QuietLog {
  private QuietLog() {}

  /** Applies it, unless the program has a configuration or another log than logback. */
  public static void withoutConfiguration() {
    // A program with another log has no class of logback, which the nested class needs.
    if (LoggerFactory.getILoggerFactory()
        .getClass()
        .getName()
        .equals("ch.qos.logback.classic.LoggerContext")) {
      OfLogback.apply();
    }
  }

  /** Applies it to logback. */
  static final class OfLogback {
    private OfLogback() {}

    private static void apply() {
      apply((LoggerContext) LoggerFactory.getILoggerFactory());
    }

    static void apply(LoggerContext context) {
      Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
      Logger kafka = context.getLogger("org.apache.kafka");
      if (ConfigurationWatchListUtil.getMainWatchURL(context) == null
          && root.getLevel() == Level.DEBUG
          && kafka.getLevel() == null) {
        root.setLevel(Level.INFO);
        kafka.setLevel(Level.WARN);
      }
    }
  }
}

package io.weir.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;

/**
 * Keeps warnings out of the log that mean nothing and come by the hundred. Their loggers warn of
 * other things that do matter, so a level would not do.
 */
public final class KafkaNoise extends Filter<ILoggingEvent> {
  /** Logged as an error when a poll is full, and thrown wherever it is an error. */
  private static final String CONSUMER =
      "org.apache.kafka.clients.consumer.internals.CompletedFetch";

  private static final String FULL_POLL = " Deserializers with error: ";

  /** By logger: what a message that means nothing contains. */
  private static final Map<String, String> HARMLESS =
      Map.of(
          // An embedded broker's channel to its controller is closed twice with every stop.
          "org.apache.kafka.clients.NetworkClient",
          "NodeToControllerChannelManager",
          // A transaction that begins just after one ended is asked to wait, once a partition.
          "org.apache.kafka.clients.producer.internals.Sender",
          "Error: CONCURRENT_TRANSACTIONS");

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return isHarmless(event) ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  private static boolean isHarmless(ILoggingEvent event) {
    if (event.getLoggerName().equals(CONSUMER)) {
      return event.getFormattedMessage().contains(FULL_POLL);
    }
    String harmless = HARMLESS.get(event.getLoggerName());
    return harmless != null
        && event.getLevel().toInt() <= Level.WARN_INT
        && event.getFormattedMessage().contains(harmless);
  }
}

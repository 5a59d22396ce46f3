package io.weir.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Keeps an embedded broker's warning out of the log that its channel to the controller was closed
 * twice: it comes with every stop. Its logger is that of every client, so a level would not do.
 */
public final class BrokerNoise extends Filter<ILoggingEvent> {
  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event.getLevel().toInt() <= Level.WARN_INT
            && event.getLoggerName().endsWith("NetworkClient")
            && event.getFormattedMessage().contains("NodeToControllerChannelManager")
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}

package io.weir.internal.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.weir.internal.store.StateMismatchException;
import java.net.BindException;
import java.util.List;
import java.util.Map;

/**
 * Drops frequent warnings without meaning from the log. Their loggers write important warnings too,
 * so a log level is not enough.
 */
public final class KafkaNoise extends Filter<ILoggingEvent> {
  /** Logged as an error when a poll is full, and thrown wherever it is an error. */
  private static final String CONSUMER =
      "org.apache.kafka.clients.consumer.internals.CompletedFetch";

  private static final String FULL_POLL = " Deserializers with error: ";

  /** By logger: a part of the meaningless message. */
  private static final Map<String, String> HARMLESS =
      Map.of(
          // An embedded broker closes its channel to the controller twice at each stop.
          "org.apache.kafka.clients.NetworkClient",
          "NodeToControllerChannelManager",
          // A transaction that starts just after another one ended is retried, once for each
          // partition.
          "org.apache.kafka.clients.producer.internals.Sender",
          "Error: CONCURRENT_TRANSACTIONS");

  /** An embedded broker logs it for the deletion of a group while it loads its groups. */
  private static final String GROUPS = "org.apache.kafka.coordinator.group.GroupCoordinatorService";

  private static final String GROUPS_NOT_LOADED = "Error deleting share group";

  /** The cause of the end of a process; {@link ThreadDeaths} logs it. */
  private static final List<String> LOGGED_IN_A_LINE =
      List.of(StateMismatchException.class.getName(), NotAppendTimeException.class.getName());

  /** Logged before it is thrown, when {@link ThreadDeaths} logs it. */
  private static final String TASKS_EXCEPTIONS = "Get exceptions for the following tasks";

  private static final String WAITING = "org.apache.kafka.clients.NetworkClient";
  private static final long ONCE_MS = 60_000;

  private long lastWarningMs = -ONCE_MS;

  @Override
  public FilterReply decide(ILoggingEvent event) {
    boolean noise =
        isHarmless(event)
            || isTakenPort(event.getThrowableProxy())
            || isLoggedInALine(event)
            || isRepeated(event);
    return noise ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  /** An embedded broker logs a port in use three times, and throws it too. */
  private static boolean isTakenPort(IThrowableProxy thrown) {
    IThrowableProxy deepest = thrown;
    while (deepest != null && deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest != null && deepest.getClassName().equals(BindException.class.getName());
  }

  /** Kafka Streams logs it for each thread and each task that dies, with the stack trace. */
  private static boolean isLoggedInALine(ILoggingEvent event) {
    if (!event.getLoggerName().startsWith("org.apache.kafka.streams.")) {
      return false;
    }
    if (event.getFormattedMessage().contains(TASKS_EXCEPTIONS)) {
      return true;
    }
    for (String cause : LOGGED_IN_A_LINE) {
      IThrowableProxy thrown = event.getThrowableProxy();
      while (thrown != null && !thrown.getClassName().equals(cause)) {
        thrown = thrown.getCause();
      }
      if (thrown != null || event.getFormattedMessage().contains(cause)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHarmless(ILoggingEvent event) {
    if (event.getLoggerName().equals(CONSUMER)) {
      return event.getFormattedMessage().contains(FULL_POLL);
    }
    if (event.getLoggerName().equals(GROUPS)) {
      return event.getFormattedMessage().contains(GROUPS_NOT_LOADED);
    }
    String harmless = HARMLESS.get(event.getLoggerName());
    return harmless != null
        && event.getLevel().toInt() <= Level.WARN_INT
        && event.getFormattedMessage().contains(harmless);
  }

  /** A client that finds no broker warns of it every second. */
  private boolean isRepeated(ILoggingEvent event) {
    boolean waits =
        WAITING.equals(event.getLoggerName())
            && event.getLevel().toInt() == Level.WARN_INT
            && (event.getFormattedMessage().contains("could not be established")
                || event.getFormattedMessage().contains(" disconnected"));
    if (!waits) {
      return false;
    }
    synchronized (this) {
      boolean lately = event.getTimeStamp() - lastWarningMs < ONCE_MS;
      lastWarningMs = lately ? lastWarningMs : event.getTimeStamp();
      return lately;
    }
  }
}

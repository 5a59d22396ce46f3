package io.weir;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The warnings that a class logs until it is closed. */
public final class LoggedLines implements AutoCloseable {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger;
  private final Level before;

  public LoggedLines(String className) {
    logger = (Logger) LoggerFactory.getLogger(className);
    before = logger.getLevel();
    logger.setLevel(Level.WARN);
    lines.start();
    logger.addAppender(lines);
  }

  public List<String> warnings() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setLevel(before);
  }
}

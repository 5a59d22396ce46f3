package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A logging library that throws, as after a class of it was first loaded without memory. */
class FailingLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(ReadingPublisher.class);
  private final FailingAppender appender = new FailingAppender();
  private Level level;

  private static final class FailingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private int calls;

    @Override
    protected void append(ILoggingEvent event) {
      calls++;
      throw new NoClassDefFoundError("Could not initialize class ThrowableProxy");
    }
  }

  @BeforeEach
  void add() {
    appender.start();
    level = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  @AfterEach
  void remove() {
    logger.detachAppender(appender);
    logger.setLevel(level);
  }

  @Test
  void readingsAreSent_afterTheNetworkThreadHasDied_andNothingCanBeLogged() {
    PublisherRig rig = PublisherRig.with(settings -> settings);
    rig.offer("pump", 1_700_000_000_000L, 1);
    rig.passAndRun(Duration.ofSeconds(1));
    rig.brokers.die();
    rig.brokers.refuseToOpen(true);
    rig.passAndRun(Duration.ofSeconds(1));
    rig.passAndRun(Duration.ofMinutes(2));
    assertThat(appender.calls).isPositive();
    rig.brokers.refuseToOpen(false);
    rig.drain();
    assertThat(rig.publisher.queuedReadings()).isZero();
  }
}

package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import io.weir.internal.store.StateMismatchException;
import java.io.IOException;
import java.net.BindException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;

class KafkaNoiseTest {
  private final LoggerContext context = new LoggerContext();
  private final KafkaNoise noise = new KafkaNoise();

  @Test
  void portInUse_isNotLoggedByKafka_otherErrorsAre() {
    assertThat(error(new RuntimeException(new BindException("Address already in use"))))
        .isEqualTo(FilterReply.DENY);
    assertThat(error(new RuntimeException(new IOException("No space left on device"))))
        .isEqualTo(FilterReply.NEUTRAL);
    assertThat(error(null)).isEqualTo(FilterReply.NEUTRAL);
  }

  @Test
  void deathOfAThread_thatWeirLogsInALine_isNotLoggedByKafkaStreams() {
    Throwable mismatch = new StateMismatchException("weir.window.size is 60000ms");
    Throwable ofTask = new ProcessorStateException("while trying to restore", mismatch);

    assertThat(streams("KafkaStreams", "the streams client is going to shut down", ofTask))
        .isEqualTo(FilterReply.DENY);
    assertThat(
            streams(
                "processor.internals.TaskManager",
                "Get exceptions for the following tasks: {0_30=}",
                null))
        .isEqualTo(FilterReply.DENY);
    assertThat(streams("KafkaStreams", "shut down", new ProcessorStateException("disk")))
        .isEqualTo(FilterReply.NEUTRAL);
    assertThat(error(mismatch)).isEqualTo(FilterReply.NEUTRAL);
  }

  private FilterReply streams(String logger, String message, Throwable thrown) {
    String name = "org.apache.kafka.streams." + logger;
    return noise.decide(event(name, Level.ERROR, message, thrown, 0));
  }

  @Test
  void groupDeletedWhileGroupsAreLoaded_isNotLogged_otherErrorsOfGroupsAre() {
    String groups = "org.apache.kafka.coordinator.group.GroupCoordinatorService";
    String deleting = "[GroupCoordinator id=1] Error deleting share group g due to NOT_COORDINATOR";
    assertThat(noise.decide(event(groups, Level.ERROR, deleting, null, 0)))
        .isEqualTo(FilterReply.DENY);
    assertThat(noise.decide(event(groups, Level.ERROR, "no space left", null, 0)))
        .isEqualTo(FilterReply.NEUTRAL);
  }

  @Test
  void waitingForABroker_isLoggedOnceAMinute() {
    String waits = "Connection to node -1 could not be established. Node may not be available.";
    assertThat(warning(waits, 0)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(warning(waits, 59_999)).isEqualTo(FilterReply.DENY);
    assertThat(warning("something else", 59_999)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(warning(waits, 60_000)).isEqualTo(FilterReply.NEUTRAL);
  }

  private FilterReply error(Throwable thrown) {
    return noise.decide(event("kafka.network.DataPlaneAcceptor", Level.ERROR, "failed", thrown, 0));
  }

  private FilterReply warning(String message, long timeMs) {
    return noise.decide(
        event("org.apache.kafka.clients.NetworkClient", Level.WARN, message, null, timeMs));
  }

  private LoggingEvent event(
      String loggerName, Level level, String message, Throwable thrown, long timeMs) {
    Logger logger = context.getLogger(loggerName);
    LoggingEvent event = new LoggingEvent("here", logger, level, message, thrown, null);
    event.setTimeStamp(timeMs);
    return event;
  }
}

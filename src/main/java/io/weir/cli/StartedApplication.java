package io.weir.cli;

import io.weir.app.StartRetry;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.time.MonotonicClock;
import io.weir.topology.Measures;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An application that may be asked to stop before it has started. Safe for many threads. */
final class StartedApplication {
  private static final Logger LOG = LoggerFactory.getLogger(StartedApplication.class);

  private final Thread starter;
  private WeirApplication application;
  private boolean stopped;

  /**
   * @param starter the thread that will start it
   */
  StartedApplication(Thread starter) {
    this.starter = starter;
  }

  /**
   * Starts it, as soon as Kafka answers.
   *
   * @param onWait is told what is waited for
   * @throws InterruptException if it was asked to stop
   */
  WeirApplication start(WeirConfig config, Measures measures, Consumer<String> onWait) {
    StartRetry patience =
        new StartRetry(
            config.http().startTimeout(), MonotonicClock::millis, StartedApplication::pause);
    WeirApplication begun =
        patience.start(
            () -> WeirApplication.start(config, measures),
            onWait,
            what -> LOG.warn("waiting: {}", what));
    synchronized (this) {
      application = begun;
      if (stopped) {
        begun.close();
      }
    }
    return begun;
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Its drawing; empty while it has not started. */
  synchronized String drawing() {
    return application == null ? "" : application.drawing();
  }

  /** Ends it, or its start. */
  void stop() {
    WeirApplication running;
    synchronized (this) {
      stopped = true;
      running = application;
      if (running == null) {
        starter.interrupt();
      }
    }
    if (running != null) {
      running.close();
    }
  }
}

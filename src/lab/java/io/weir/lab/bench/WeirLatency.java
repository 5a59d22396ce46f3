package io.weir.lab.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.lab.TemporaryDirectory;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.util.Properties;

/**
 * Weir in this process, a thread that sends what closes windows, and a reader of committed records
 * that sees them: what is measured lies between the two.
 */
abstract class WeirLatency extends LatencyWork {
  protected final TopicNames names;
  protected final WeirConfig config;
  protected volatile boolean closed;
  protected volatile RuntimeException failure;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final CommittedWindows windows;
  private final Thread sending = new Thread(this::sendAll, "sending");
  private StreamsApplication application;

  WeirLatency(Task task, String readings) {
    super(task);
    this.names = RunTopics.of(task.run(), readings);
    this.config =
        WeirConfig.of(
            new Properties(),
            RunTopics.kafkaVariables(),
            RunTopics.options(task, names, directory.path()));
    this.windows = new CommittedWindows(task.bootstrapServers(), names.windows(), this::found);
  }

  /** Sends until all is sent or it is closed, in a thread of its own. */
  protected abstract void sendAll();

  /** A summary can be read, in the reader's thread. */
  protected abstract void found(WindowSummary summary);

  /** Closes what it sent with. */
  protected void release() {}

  @Override
  public final void start() {
    application = WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
    windows.start();
    sending.start();
  }

  @Override
  protected final void requireHealthy() {
    if (failure != null) {
      throw failure;
    }
    windows.requireHealthy();
  }

  @Override
  public final void close() {
    closed = true;
    try (directory) {
      if (application != null) {
        sending.join();
        windows.close();
        release();
        application.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

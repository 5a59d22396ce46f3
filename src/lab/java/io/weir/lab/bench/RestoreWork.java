package io.weir.lab.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.lab.TemporaryDirectory;
import io.weir.topic.SensorPartition;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.streams.KafkaStreams;

/** Weir started from the changelog of a run before it: how long until it aggregates everything. */
final class RestoreWork implements Work {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final WeirConfig config;
  private StreamsApplication application;
  private volatile long tookNanos;

  RestoreWork(Task task) {
    this.config =
        WeirConfig.of(
            new Properties(),
            RunTopics.kafkaVariables(),
            RunTopics.options(task, RunTopics.of(task.run(), task.topic()), directory.path()));
  }

  @Override
  public void start() {
    long startNanos = System.nanoTime();
    application = WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
    awaitAll(application);
    tookNanos = System.nanoTime() - startNanos;
  }

  /**
   * Waits until an application aggregates all partitions.
   *
   * @throws IllegalStateException if it ends instead
   */
  static void awaitAll(StreamsApplication application) {
    while (!hasAll(application.streams())) {
      application
          .ended()
          .getNow(java.util.Optional.empty())
          .ifPresent(
              reason -> {
                throw new IllegalStateException(reason);
              });
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Whether an application has all partitions, restored. */
  static boolean hasAll(KafkaStreams streams) {
    return streams.state() == KafkaStreams.State.RUNNING
        && streams.metadataForLocalThreads().stream()
                .mapToInt(thread -> thread.activeTasks().size())
                .sum()
            == SensorPartition.COUNT;
  }

  @Override
  public long processed() {
    return tookNanos == 0 ? 0 : 1;
  }

  @Override
  public boolean settled() {
    return true;
  }

  @Override
  public Figures extras() {
    return Figures.of(Map.of(Figure.RESTORE_SECONDS, tookNanos / 1e9));
  }

  @Override
  public void close() {
    try (directory) {
      if (application != null) {
        application.close();
      }
    }
  }
}

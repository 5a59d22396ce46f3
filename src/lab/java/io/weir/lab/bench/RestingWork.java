package io.weir.lab.bench;

import io.weir.internal.app.Keys;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.ops.ApplicationMeters;
import io.weir.internal.ops.HotPage;
import io.weir.internal.ops.Meters;
import io.weir.internal.ops.ServiceProcess;
import io.weir.lab.TemporaryDirectory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * {@code weir run} with all partitions and no sensors, endpoints and meters included: it has its
 * partitions, rests for {@value #REST_SECONDS} s, and is then measured.
 */
final class RestingWork implements Work {
  /** What the chart comes to, with its limit of memory; G1 is java's choice then. */
  static final List<String> FLAGS =
      List.of("-Xms32m", "-Xmx1434m", "-XX:ActiveProcessorCount=3", "-XX:-UsePerfData");

  private static final int REST_SECONDS = 20;

  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final WeirConfig config;
  private final Thread thread = new Thread(this::run, "resting");
  private volatile ServiceProcess process;
  private volatile StreamsApplication application;
  private volatile RuntimeException failure;
  private long allSinceNanos;

  RestingWork(Task task) {
    Map<String, String> options =
        RunTopics.options(task, RunTopics.of(task.run(), task.topic()), directory.path());
    options.put(Keys.HTTP_PORT.name(), "0");
    options.put(Keys.HTTP_HOST.name(), "127.0.0.1");
    this.config = WeirConfig.of(new Properties(), RunTopics.kafkaVariables(), options);
    RunTopics.createFor(task);
  }

  @Override
  public void start() {
    thread.start();
  }

  /** As the command does it. */
  private void run() {
    HotBoard hot = new HotBoard();
    try (ServiceProcess opened =
        ServiceProcess.open(config, Map.of(HotPage.PATH, new HotPage(hot)))) {
      process = opened;
      Meters meters = new Meters(opened.registry(), hot);
      opened.beforeScrape(meters::refresh);
      opened.run(
          () -> application = WeirApplication.start(config, meters),
          running -> new ApplicationMeters(running, opened.registry()));
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /** One, as soon as it has rested. */
  @Override
  public long processed() {
    if (failure != null) {
      throw new IllegalStateException("Weir ended", failure);
    }
    if (application == null || !RestoreWork.hasAll(application.streams())) {
      allSinceNanos = 0;
      return 0;
    }
    if (allSinceNanos == 0) {
      allSinceNanos = System.nanoTime();
    }
    return System.nanoTime() - allSinceNanos < TimeUnit.SECONDS.toNanos(REST_SECONDS) ? 0 : 1;
  }

  @Override
  public boolean settled() {
    return true;
  }

  @Override
  public Figures extras() {
    double direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    double notHeap = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed();
    return Figures.of(Map.of(Figure.DIRECT_BYTES, direct, Figure.NOT_HEAP_BYTES, notHeap));
  }

  @Override
  public void close() {
    try (directory) {
      if (process != null) {
        process.stop();
      }
      thread.join(TimeUnit.SECONDS.toMillis(REST_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

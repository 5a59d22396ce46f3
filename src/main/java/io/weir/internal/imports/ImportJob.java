package io.weir.internal.imports;

import io.weir.internal.app.Acl;
import io.weir.internal.app.Dependency;
import io.weir.internal.app.Service;
import io.weir.internal.app.ServiceThread;
import io.weir.internal.app.StartFailures;
import io.weir.internal.app.WeirConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A running import. Any thread may call all methods. */
public final class ImportJob implements Service {
  private static final long STALLED_MS = 60_000;

  private final ImportCluster cluster;
  private final Import work;
  private final ServiceThread thread;
  private final CountDownLatch stop = new CountDownLatch(1);

  private ImportJob(
      WeirConfig config, ImportSettings settings, ImportCluster cluster, Import.Form form) {
    this.cluster = cluster;
    this.work = new Import(settings, cluster.clients(), form);
    this.thread =
        new ServiceThread("weir-import", config.kafka(), rights(config, settings), new Work());
  }

  /**
   * Starts. The import then waits for its source topics.
   *
   * @param ordered whether each sensor is in one source partition, in the order of its times
   * @throws io.weir.internal.app.KafkaAwayException while Kafka does not answer
   * @throws io.weir.internal.app.StartRefusedException if a topic or a right is missing
   */
  public static ImportJob start(
      WeirConfig config, ImportSettings settings, RecordReader reader, boolean ordered) {
    return StartFailures.explain(
        config.kafka().forAdmin(),
        rights(config, settings),
        () -> {
          ImportCluster cluster = ImportCluster.open(config, settings);
          try {
            ImportJob job = new ImportJob(config, settings, cluster, cluster.form(reader, ordered));
            job.thread.start();
            return job;
          } catch (RuntimeException e) {
            cluster.close();
            throw e;
          }
        });
  }

  private static List<Acl> rights(WeirConfig config, ImportSettings settings) {
    return Acl.ofImport(settings.group(), settings.sources(), settings.progress(), config.topics());
  }

  private final class Work implements ServiceThread.Work {
    @Override
    public void run() {
      work.run(ImportJob.this::await);
    }

    @Override
    public void stop() {
      stop.countDown();
    }

    @Override
    public void release() {
      cluster.close();
    }
  }

  private boolean await(Duration atMost) {
    try {
      return stop.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** What it has committed. */
  public ImportStatus status() {
    return work.status();
  }

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return thread.ended();
  }

  @Override
  public boolean isReady() {
    return status().waits().waitsFor().isEmpty() && status().stalledMs() < STALLED_MS;
  }

  @Override
  public long successAgeMs() {
    return status().stalledMs();
  }

  @Override
  public Map<Dependency, Long> waits() {
    String waitsFor = status().waits().waitsFor();
    return waitsFor.isEmpty()
        ? Map.of()
        : Map.of(
            waitsFor.startsWith(ImportSession.REGISTRY) ? Dependency.REGISTRY : Dependency.KAFKA,
            status().stalledMs());
  }

  @Override
  public String describe() {
    String waitsFor = status().waits().waitsFor();
    if (!waitsFor.isEmpty()) {
      return "WAITING for " + waitsFor;
    }
    return isReady()
        ? "RUNNING"
        : "STALLED: nothing was committed for " + status().stalledMs() / 1_000 + " s";
  }

  @Override
  public void close() {
    thread.close();
  }
}

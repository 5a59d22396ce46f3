package io.weir.peers;

import io.weir.lab.TemporaryDirectory;
import io.weir.lab.bench.Figures;
import io.weir.lab.bench.PassedWindows;
import io.weir.lab.bench.RunTopics;
import io.weir.lab.bench.Task;
import io.weir.lab.bench.Work;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * A job in a cluster of this process: state on the heap, a checkpoint a second on files, objects
 * used again, as many slots as Weir has threads. At its end its windows are compared with those of
 * a plain pass over the readings.
 */
final class FlinkWork implements Work {
  private static final int CHECKPOINT_MS = 1_000;
  private static final long LOOK_NANOS = 20_000_000;
  private static final String LOOPBACK = "127.0.0.1";
  private static final String CHECKPOINT = "chk-";

  private final Task task;
  private final FlinkJob form;
  private final TemporaryDirectory directory = TemporaryDirectory.create("flink-bench-");
  private final Admin admin;
  private final Topics topics;
  private final Path checkpoints;
  private JobClient job;
  private CompletableFuture<?> ended;
  private long newestWhenDone = -1;

  FlinkWork(Task task, FlinkJob form) {
    this.task = task;
    this.form = form;
    this.checkpoints = task.kept().orElse(directory.path()).resolve("checkpoints");
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()));
    TopicNames names = RunTopics.of(task.run(), task.topic());
    new TopicAdmin(admin, names).createMissing();
    this.topics = new Topics(task, names.windows());
  }

  @Override
  public void start() {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(task.threads(), settings());
    env.enableCheckpointing(CHECKPOINT_MS, CheckpointingMode.EXACTLY_ONCE);
    form.build(env, topics, topics.sink());
    try {
      job = env.executeAsync(task.run());
      ended = job.getJobExecutionResult();
    } catch (Exception e) {
      throw new IllegalStateException("the job could not start", e);
    }
  }

  private Configuration settings() {
    Configuration settings = new Configuration();
    newestWhole().ifPresent(from -> settings.setString("execution.state-recovery.path", from));
    settings.setString("state.backend.type", "hashmap");
    settings.setString("execution.checkpointing.storage", "filesystem");
    settings.setString("execution.checkpointing.dir", checkpoints.toUri().toString());
    settings.setString("pipeline.object-reuse", "true");
    settings.setString("restart-strategy.type", "none");
    settings.setString("rest.address", LOOPBACK);
    settings.setString("rest.bind-address", LOOPBACK);
    settings.setString("jobmanager.bind-host", LOOPBACK);
    settings.setString("taskmanager.host", LOOPBACK);
    settings.setString("taskmanager.bind-host", LOOPBACK);
    return settings;
  }

  @Override
  public long processed() {
    if (ended != null && ended.isDone()) {
      requireRunning();
    }
    return Tally.allCounted() + Tally.allLate();
  }

  private void requireRunning() {
    try {
      ended.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the job failed", e.getCause());
    }
    throw new IllegalStateException("the job ended");
  }

  /**
   * Once a checkpoint is whole that began after this was asked first. Offsets would not tell: the
   * connector commits them after a poll, which lasts for seconds at the topic's end.
   */
  @Override
  public boolean settled() {
    if (newestWhenDone < 0) {
      newestWhenDone = newest(false);
    }
    return newest(true) > newestWhenDone;
  }

  private long newest(boolean whole) {
    return newestOf(whole).map(FlinkWork::number).orElse(0L);
  }

  /** The checkpoint that a process before this one left, where one did. */
  private Optional<String> newestWhole() {
    return newestOf(true).map(path -> path.toUri().toString());
  }

  private Optional<Path> newestOf(boolean whole) {
    if (!Files.isDirectory(checkpoints)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(checkpoints, 2)) {
      return files
          .filter(path -> path.getFileName().toString().startsWith(CHECKPOINT))
          .filter(path -> !whole || Files.exists(path.resolve("_metadata")))
          .max(Comparator.comparingLong(FlinkWork::number));
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty(); // An old one is being removed.
    }
  }

  private static long number(Path checkpoint) {
    return Long.parseLong(checkpoint.getFileName().toString().substring(CHECKPOINT.length()));
  }

  /**
   * A watermark may have come after the one before: of that checkpoint's windows some were open.
   */
  private void awaitAnotherCheckpoint() {
    long before = newest(false);
    while (newest(true) <= before) {
      if (ended.isDone()) {
        requireRunning();
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public Figures extras() {
    long late = Tally.allLate();
    if (Tally.allCounted() + late != task.readings()) {
      throw new IllegalStateException(
          "of %d readings the job counted %d, and %d were late"
              .formatted(task.readings(), Tally.allCounted(), late));
    }
    awaitAnotherCheckpoint();
    return PassedWindows.figures(task, topics.windows(), late);
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      if (job != null) {
        job.cancel().get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the job could not be ended", e.getCause());
    }
  }
}

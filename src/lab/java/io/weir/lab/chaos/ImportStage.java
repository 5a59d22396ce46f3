package io.weir.lab.chaos;

import io.weir.internal.imports.ImportSettings;
import io.weir.topic.KafkaFutures;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The processes of {@code weir import}, their source, their faults, and the verdict. */
final class ImportStage implements AutoCloseable {
  static final String NAME = "chaos";

  private static final int PROCESSES = 2;

  /** For one record of the source there are as many readings of gateways. */
  private static final int READINGS_EACH = 6;

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private final ChaosCluster cluster;
  private final ImportSource source;
  private final ImportOracle oracle;
  private final List<Application> applications = new CopyOnWriteArrayList<>();
  private final AtomicInteger endedByThemselves = new AtomicInteger();
  private final Supervisor supervisor;
  private volatile Map<TopicPartition, Long> ends = Map.of();

  private ImportStage(ChaosCluster cluster, ChaosSettings settings, Path dir) {
    this.cluster = cluster;
    int perSecond = settings.readingsPerSecond() / READINGS_EACH;
    source = new ImportSource(cluster.admin(), cluster.direct(), settings.seed(), perSecond);
    oracle = new ImportOracle(cluster.direct(), NAME);
    for (int i = 0; i < PROCESSES; i++) {
      applications.add(new ImportApplication(i, settings, cluster.bootstrapServers(), dir));
    }
    supervisor = new Supervisor(applications, endedByThemselves::incrementAndGet);
  }

  /**
   * Starts everything; returns when the import has begun.
   *
   * @throws IllegalStateException if it has not
   */
  static ImportStage start(ChaosCluster cluster, ChaosSettings settings, Path dir) {
    ImportStage stage = new ImportStage(cluster, settings, dir);
    stage.applications.forEach(Application::start);
    stage.source.start();
    if (!Waiting.until(TIMEOUT, () -> !stage.committed().isEmpty())) {
      stage.close();
      throw new IllegalStateException("weir import commits nothing; see the logs in " + dir);
    }
    return stage;
  }

  private Map<TopicPartition, OffsetAndMetadata> committed() {
    try {
      return KafkaFutures.await(
          cluster
              .admin()
              .listConsumerGroupOffsets(ImportSettings.group(NAME))
              .partitionsToOffsetAndMetadata());
    } catch (KafkaException e) {
      return Map.of();
    }
  }

  /** One of the faults of its lane. */
  void have(PlannedFault fault) {
    Application application = applications.get(fault.target() % applications.size());
    switch (fault.kind()) {
      case IMPORT_KILL -> application.kill();
      case IMPORT_RESTART -> application.stop();
      case IMPORT_ZOMBIE -> application.freeze();
      case IMPORT_GROW -> source.grow();
      case IMPORT_REMAKE ->
          source.makeAgain(
              () -> {
                ends = oracle.take(partitions());
                boolean imported = Waiting.until(TIMEOUT, this::isDone);
                ends = imported ? Map.of() : ends;
                return imported;
              });
      default -> throw new IllegalArgumentException(fault.kind().label());
    }
    Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
    switch (fault.kind()) {
      case IMPORT_KILL, IMPORT_RESTART -> application.start();
      case IMPORT_ZOMBIE -> application.thaw();
      default -> {
        // Nothing is to be repaired.
      }
    }
  }

  private List<TopicPartition> partitions() {
    return IntStream.range(0, source.partitions())
        .mapToObj(partition -> new TopicPartition(ImportSource.TOPIC, partition))
        .toList();
  }

  /** Processes that ended by themselves so far, and were started again. */
  int endedByThemselves() {
    return endedByThemselves.get();
  }

  /** Returns when nothing is written to the source any more. */
  void finishSource() {
    source.close();
    ends = oracle.take(partitions());
  }

  /** Whether all records of the source were read. */
  boolean isDone() {
    return left() == 0;
  }

  /** What it waits for, in words. */
  String where() {
    return "imports are to read " + left() + " offsets";
  }

  private long left() {
    Map<TopicPartition, OffsetAndMetadata> committed = committed();
    return ends.entrySet().stream()
        .mapToLong(
            end -> {
              OffsetAndMetadata read = committed.get(end.getKey());
              return Math.max(0, end.getValue() - (read == null ? 0 : read.offset()));
            })
        .sum();
  }

  /** Enters what the imports wrote: whether that is right is judged by the source. */
  void enterImported(LedgerIndex ledgers) {
    try (CommittedTopic reader = new CommittedTopic(cluster.direct())) {
      reader.read(
          TopicNames.DEFAULT.readings(),
          record -> {
            if (ImportOracle.isImported(record)) {
              ledgers.readCollected(record.partition(), record.value());
            }
          });
    }
  }

  /** Stops all, and judges what is there. */
  ImportOracle.Verdict judge() {
    supervisor.close();
    applications.forEach(Application::stop);
    return oracle.judge(isDone() ? List.of() : List.of(where()));
  }

  @Override
  public void close() {
    supervisor.close();
    source.close();
    applications.forEach(Application::close);
  }
}

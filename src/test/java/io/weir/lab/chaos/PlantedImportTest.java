package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.ImportSettings;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.oracle.Findings;
import io.weir.topic.KafkaFutures;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** One source on one broker, imported as it is and with each planted bug. */
class PlantedImportTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final long RECORDS = 3_000;
  private static final Set<PlantedBug> TRIED =
      EnumSet.of(
          PlantedBug.NONE,
          PlantedBug.IMPORT_OFFSETS_OUTSIDE,
          PlantedBug.IMPORT_BATCH_KEPT,
          PlantedBug.IMPORT_LETTER_WITHOUT_OFFSET);

  private static final List<TopicPartition> PARTITIONS =
      List.of(
          new TopicPartition(ImportSource.TOPIC, 0),
          new TopicPartition(ImportSource.TOPIC, 1),
          new TopicPartition(ImportSource.TOPIC, 2));

  private static final Set<TransactionState> ENDED =
      EnumSet.of(
          TransactionState.COMPLETE_COMMIT,
          TransactionState.COMPLETE_ABORT,
          TransactionState.EMPTY);

  @Test
  void commitsThatFail_areExact_andWithAPlantedBugAreNot() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      Map<PlantedBug, Running> imports = new EnumMap<>(PlantedBug.class);
      TRIED.forEach(bug -> imports.put(bug, Running.start(bug, kafka.bootstrapServers())));
      try (ImportSource source = new ImportSource(admin, kafka.bootstrapServers(), 7, 500)) {
        source.start();
        ImportOracle seen = new ImportOracle(kafka.bootstrapServers(), "none");
        assertThat(
                Waiting.until(
                    TIMEOUT,
                    () ->
                        seen.take(PARTITIONS).values().stream().mapToLong(each -> each).sum()
                            > RECORDS))
            .isTrue();
      }
      Map<PlantedBug, ImportOracle> oracles = new EnumMap<>(PlantedBug.class);
      for (PlantedBug bug : TRIED) {
        oracles.put(bug, imports.get(bug).finish(kafka.bootstrapServers(), admin));
      }
      // A record is readable when all transactions before it in its partition have ended.
      assertThat(Waiting.until(TIMEOUT, () -> hasNoOpenTransaction(admin))).isTrue();
      Map<PlantedBug, Findings> found = new EnumMap<>(PlantedBug.class);
      oracles.forEach((bug, oracle) -> found.put(bug, oracle.judge(List.of()).findings()));
      assertThat(found.get(PlantedBug.NONE).lines()).isEmpty();
      assertThat(found.get(PlantedBug.IMPORT_OFFSETS_OUTSIDE).lost()).isPositive();
      assertThat(found.get(PlantedBug.IMPORT_BATCH_KEPT).doubled()).isPositive();
      Findings outside = found.get(PlantedBug.IMPORT_LETTER_WITHOUT_OFFSET);
      assertThat(outside.doubled()).isPositive();
      assertThat(outside.lines()).allMatch(line -> line.contains("imported dead letter"));
    }
  }

  private static boolean hasNoOpenTransaction(Admin admin) {
    return KafkaFutures.await(admin.listTransactions().all()).stream()
        .map(TransactionListing::state)
        .allMatch(ENDED::contains);
  }

  /** An import in a thread of its own. */
  private record Running(String name, AtomicBoolean stopped, Thread thread) {
    static Running start(PlantedBug bug, String servers) {
      WeirConfig config =
          WeirConfig.of(
              new Properties(),
              Map.of(),
              Map.of("bootstrap.servers", servers, "import.name", bug.label()));
      AtomicBoolean stopped = new AtomicBoolean();
      Thread thread = new Thread(() -> new SabotagedImport(bug, config).run(stopped::get));
      thread.start();
      return new Running(bug.label(), stopped, thread);
    }

    /** Waits until it has read all, and stops it. */
    ImportOracle finish(String servers, Admin admin) throws Exception {
      ImportOracle oracle = new ImportOracle(servers, name);
      Map<TopicPartition, Long> ends = oracle.take(PARTITIONS);
      boolean done = Waiting.until(TIMEOUT, () -> hasRead(admin, ends));
      stopped.set(true);
      thread.join();
      assertThat(done).as(name).isTrue();
      return oracle;
    }

    private boolean hasRead(Admin admin, Map<TopicPartition, Long> ends) {
      Map<TopicPartition, OffsetAndMetadata> committed =
          KafkaFutures.await(
              admin
                  .listConsumerGroupOffsets(ImportSettings.group(name))
                  .partitionsToOffsetAndMetadata());
      return ends.entrySet().stream()
          .allMatch(
              end ->
                  committed.get(end.getKey()) != null
                      && committed.get(end.getKey()).offset() >= end.getValue());
    }
  }
}

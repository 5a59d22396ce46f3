package io.weir.lab.chaos;

import io.weir.internal.alarm.StatusPlan;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Edits of the rules file, each while no application runs: from the offsets on that were committed
 * then, the rules of the new file hold. Safe for several threads.
 */
final class RulesEdits {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private record Edit(Map<TopicPartition, Long> from, StatusPlan plan) {}

  private final ChaosStage stage;
  private final List<Edit> edits = new CopyOnWriteArrayList<>();

  RulesEdits(ChaosStage stage) {
    this.stage = stage;
  }

  /** Stops all applications, writes the next file, and starts them. */
  void edit(Duration startTimeout) {
    List<Application> applications = stage.applications();
    applications.forEach(Application::stop);
    Map<TopicPartition, Long> from = new HashMap<>();
    if (Waiting.until(TIMEOUT, () -> committed(from))) {
      int version = edits.size() + 1;
      ChaosRules.edit(stage.dir(), version);
      edits.add(new Edit(Map.copyOf(from), ChaosRules.plan(version)));
    }
    applications.forEach(Application::start);
    applications.forEach(application -> application.awaitRunning(startTimeout));
  }

  /** Whether no transaction that may move an offset is open any more. */
  private boolean committed(Map<TopicPartition, Long> offsets) {
    try {
      Map<TopicPartition, OffsetAndMetadata> committed =
          stage
              .cluster()
              .admin()
              .listConsumerGroupOffsets(
                  Application.APPLICATION_ID,
                  new ListConsumerGroupOffsetsOptions().requireStable(true))
              .partitionsToOffsetAndMetadata()
              .get();
      offsets.clear();
      committed.forEach((partition, offset) -> offsets.put(partition, offset.offset()));
      return true;
    } catch (ExecutionException e) {
      Waiting.until(AGAIN, () -> false);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** From which offset of a partition of the readings on which rules hold, but for the first. */
  TreeMap<Long, StatusPlan> of(int partition) {
    TopicPartition readings = new TopicPartition(TopicNames.DEFAULT.readings(), partition);
    TreeMap<Long, StatusPlan> plans = new TreeMap<>();
    edits.forEach(edit -> plans.put(edit.from().getOrDefault(readings, 0L), edit.plan()));
    return plans;
  }
}

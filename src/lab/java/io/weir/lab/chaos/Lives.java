package io.weir.lab.chaos;

import io.weir.internal.alarm.StatusPlan;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The lives of the applications: a reset gives them another id, with which they read all readings
 * again. Within a life the rules file is edited now and then. Both happen while no application
 * runs. Safe for several threads.
 */
final class Lives {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int ALL = -1;

  /**
   * One of them.
   *
   * @param begin where its outputs begin; 0 where they are absent
   * @param rules the number of edits before it
   * @param edits from which offsets of the readings on which rules hold
   * @param end where it stopped to read; of the one that runs, empty
   * @param gaps of each partition, the first offsets of records that it did not read, and the ones
   *     behind them
   * @param partition the only one; negative for all
   */
  private record Life(
      String applicationId,
      int partition,
      Map<TopicPartition, Long> begin,
      int rules,
      List<Edit> edits,
      Map<TopicPartition, Long> end,
      Map<TopicPartition, TreeMap<Long, Long>> gaps) {

    void gap(TopicPartition partition, long from, long to) {
      gaps.computeIfAbsent(partition, each -> new TreeMap<>()).put(from, to);
    }

    boolean isOf(int one) {
      return partition < 0 || partition == one;
    }
  }

  private record Edit(Map<TopicPartition, Long> from, StatusPlan plan) {}

  private final ChaosStage stage;
  private final List<Life> lives = new CopyOnWriteArrayList<>();
  private volatile int edits;

  Lives(ChaosStage stage) {
    this.stage = stage;
    begin(Application.APPLICATION_ID, Map.of());
  }

  private void begin(String applicationId, Map<TopicPartition, Long> outputs) {
    Life life = begin(applicationId, ALL, outputs);
    stage.deletions().begins().forEach((partition, to) -> life.gap(partition, 0, to));
  }

  private Life begin(String applicationId, int partition, Map<TopicPartition, Long> outputs) {
    Life life =
        new Life(
            applicationId,
            partition,
            outputs,
            edits,
            new CopyOnWriteArrayList<>(),
            new HashMap<>(),
            new ConcurrentHashMap<>());
    lives.add(life);
    return life;
  }

  /** The id of the applications. */
  String applicationId() {
    return newest().applicationId();
  }

  private Life newest() {
    return lives.get(lives.size() - 1);
  }

  private Life newest(TopicPartition partition) {
    return of(partition.partition()).newest();
  }

  /** Those that run: of all partitions, and of those whose state was lost since. */
  private List<Life> running() {
    int first = lives.size() - 1;
    while (lives.get(first).partition() >= 0) {
      first--;
    }
    return lives.subList(first, lives.size());
  }

  /** Stops all applications, writes the next rules file, and starts them. */
  void edit(Duration startTimeout) {
    stage.applications().forEach(Application::stop);
    Map<TopicPartition, Long> from = new HashMap<>();
    if (Waiting.until(TIMEOUT, () -> committed(from))) {
      edits++;
      ChaosRules.edit(stage.dir(), edits);
      Edit edit = new Edit(Map.copyOf(from), ChaosRules.plan(edits));
      running().forEach(life -> life.edits().add(edit));
    }
    start(stage.applications(), startTimeout);
  }

  /**
   * Stops all applications, as the runbook says, and starts them with another id; whether it could.
   */
  boolean reset(Duration startTimeout) {
    List<Application> stopped = new ArrayList<>(stage.applications());
    if (stage.settings().bug() == PlantedBug.RESET_BESIDE_OLD) {
      stopped.remove(0);
    }
    stopped.forEach(Application::stop);
    Map<TopicPartition, Long> end = new HashMap<>();
    if (Waiting.until(TIMEOUT, () -> committed(end))) {
      running().forEach(life -> end.forEach(life.end()::putIfAbsent));
      begin(Application.APPLICATION_ID + "-" + lives.size(), outputEnds());
      stage.applications().forEach(application -> application.applicationId(applicationId()));
    }
    start(stopped, startTimeout);
    return stage.deletions().accept();
  }

  /**
   * Stops all applications, deletes some records of a partition that they have not read, starts
   * them, and accepts the loss; whether it could.
   */
  boolean delete(PlannedFault fault, Duration startTimeout) {
    stage.applications().forEach(Application::stop);
    Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
    Map<TopicPartition, Long> read = new HashMap<>();
    if (Waiting.until(TIMEOUT, () -> committed(read))) {
      stage
          .deletions()
          .delete(fault.target(), read)
          .forEach((each, to) -> newest(each).gap(each, read.getOrDefault(each, 0L), to));
    }
    start(stage.applications(), startTimeout);
    return stage.deletions().accept();
  }

  /**
   * Stops all applications, and takes away the state of a partition: its changelog and all local
   * files, so that they refuse to go on; or the offset, behind which records are deleted, so that
   * they go on with what is left. Starts them, redrives, accepts the loss, and redrives again;
   * whether it could.
   */
  boolean lose(PlannedFault fault, Duration startTimeout) {
    stage.applications().forEach(Application::stop);
    Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
    Map<TopicPartition, Long> read = new HashMap<>();
    Optional<TopicPartition> lost = Optional.empty();
    if (Waiting.until(TIMEOUT, () -> committed(read))) {
      lost =
          fault.amount() % 2 == 0
              ? loseChangelog(fault.target(), read)
              : loseOffset(fault.target(), read);
    }
    start(stage.applications(), startTimeout);
    Redrives redrives = new Redrives(stage);
    redrives.runAll();
    boolean accepted = stage.deletions().accept(lost);
    lost.ifPresent(partition -> awaitReadBehind(partition, read.getOrDefault(partition, 0L)));
    redrives.runAll();
    return accepted;
  }

  /** A halted partition goes on some seconds after the loss was accepted. */
  private void awaitReadBehind(TopicPartition partition, long offset) {
    Map<TopicPartition, Long> now = new HashMap<>();
    Waiting.until(TIMEOUT, () -> committed(now) && now.getOrDefault(partition, 0L) > offset);
  }

  private Optional<TopicPartition> loseChangelog(int target, Map<TopicPartition, Long> read) {
    List<TopicPartition> all =
        read.keySet().stream()
            .filter(each -> each.topic().equals(TopicNames.DEFAULT.readings()))
            .filter(each -> read.get(each) > 0)
            .sorted(Comparator.comparingInt(TopicPartition::partition))
            .toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    TopicPartition partition = all.get(target % all.size());
    stage
        .deletions()
        .deleteAll(
            new TopicPartition(applicationId() + "-weir-state-changelog", partition.partition()));
    stage.applications().forEach(Application::wipeState);
    newest(partition).end().put(partition, read.get(partition));
    begin(applicationId(), partition.partition(), outputEnds())
        .gap(partition, 0, read.get(partition));
    return Optional.of(partition);
  }

  private Optional<TopicPartition> loseOffset(int target, Map<TopicPartition, Long> read) {
    Map<TopicPartition, Long> deleted = stage.deletions().delete(target, read);
    deleted.forEach(
        (partition, to) -> {
          newest(partition).gap(partition, read.getOrDefault(partition, 0L), to);
          // The brokers know for a while of members that have stopped.
          Waiting.until(TIMEOUT, () -> deleteOffset(partition));
        });
    return deleted.keySet().stream().findFirst();
  }

  private boolean deleteOffset(TopicPartition partition) {
    return succeeds(
        () -> admin().deleteConsumerGroupOffsets(applicationId(), Set.of(partition)).all().get());
  }

  private interface Request {
    void send() throws ExecutionException, InterruptedException;
  }

  /** Pauses after a failure. */
  private static boolean succeeds(Request request) {
    try {
      request.send();
      return true;
    } catch (ExecutionException e) {
      Waiting.until(AGAIN, () -> false);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void start(List<Application> applications, Duration timeout) {
    applications.forEach(Application::start);
    applications.forEach(application -> application.awaitRunning(timeout));
  }

  /** Whether no transaction that may move an offset is open any more. */
  private boolean committed(Map<TopicPartition, Long> offsets) {
    return succeeds(
        () -> {
          Map<TopicPartition, OffsetAndMetadata> committed =
              admin()
                  .listConsumerGroupOffsets(
                      applicationId(), new ListConsumerGroupOffsetsOptions().requireStable(true))
                  .partitionsToOffsetAndMetadata()
                  .get();
          offsets.clear();
          committed.forEach((partition, offset) -> offsets.put(partition, offset.offset()));
        });
  }

  /** Of all topics, also of those that others write to. */
  private Map<TopicPartition, Long> outputEnds() {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (String topic : TopicNames.ALL.ofSensors()) {
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        asked.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    Waiting.until(TIMEOUT, () -> ends(asked, ends));
    ends.keySet().removeIf(each -> each.topic().equals(TopicNames.DEFAULT.of(Topic.READINGS)));
    return ends;
  }

  private boolean ends(Map<TopicPartition, OffsetSpec> asked, Map<TopicPartition, Long> ends) {
    return succeeds(
        () ->
            admin()
                .listOffsets(asked)
                .all()
                .get()
                .forEach((each, end) -> ends.put(each, end.offset())));
  }

  private Admin admin() {
    return stage.cluster().admin();
  }

  /** Those of one partition. */
  OfPartition of(int partition) {
    return new OfPartition(lives.stream().filter(life -> life.isOf(partition)).toList());
  }

  /** The lives of one partition: another one began where its state was lost, too. */
  record OfPartition(List<Life> lives) {
    /** How many there were. */
    int count() {
      return lives.size();
    }

    private Life newest() {
      return lives.get(lives.size() - 1);
    }

    /** The one that wrote an output. */
    int writerOf(TopicPartition output, long offset) {
      int life = lives.size() - 1;
      while (offset < lives.get(life).begin().getOrDefault(output, 0L)) {
        life--;
      }
      return life;
    }

    /** Whether it read a record of the readings before it ended. */
    boolean hasRead(int life, TopicPartition readings, long offset) {
      return life == lives.size() - 1 || offset < lives.get(life).end().getOrDefault(readings, 0L);
    }

    /** Up to where earlier lives than the last one have read. */
    long readBefore(TopicPartition readings) {
      return lives.subList(0, lives.size() - 1).stream()
          .mapToLong(life -> life.end().getOrDefault(readings, 0L))
          .max()
          .orElse(0);
    }

    /** The id of its applications. */
    String applicationId(int life) {
      return lives.get(life).applicationId();
    }

    /** What it did not read. */
    TreeMap<Long, Long> gaps(int life, TopicPartition readings) {
      return new TreeMap<>(lives.get(life).gaps().getOrDefault(readings, new TreeMap<>()));
    }

    /** The rules that it began with. */
    StatusPlan rules(int life) {
      return ChaosRules.plan(lives.get(life).rules());
    }

    /** From which offset of a partition of the readings on which rules hold, but for the first. */
    TreeMap<Long, StatusPlan> edits(int life, TopicPartition readings) {
      TreeMap<Long, StatusPlan> plans = new TreeMap<>();
      lives
          .get(life)
          .edits()
          .forEach(edit -> plans.put(edit.from().getOrDefault(readings, 0L), edit.plan()));
      return plans;
    }
  }
}

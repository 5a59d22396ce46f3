package io.weir.app;

import io.weir.app.HangingTransactions.Finding;
import io.weir.app.StalledOffsets.Stalled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether what the application writes can be read: a transaction that hangs
 * keeps readers of committed records, and the application's own restores, from all that comes after
 * its first record. And whether it can read itself: there any transaction that stays open is one,
 * since it is another program's, which may keep it open for as long as the brokers allow. A thread
 * of its own, asleep for the most part; a cluster that does not answer is asked again later. Safe
 * for many threads.
 */
public final class BlockedOutputs implements AutoCloseable {
  /**
   * No transaction of the application is open for so long: it times out after 30 s, and its
   * coordinator looks for such every 10 s.
   */
  static final long AFTER_MS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(BlockedOutputs.class);
  private static final long INTERVAL_SECONDS = 10;

  private final Admin admin;
  private final String bootstrapServers;
  private final List<String> topics;
  private final Set<String> inputs;
  private final LongSupplier elapsedMs;
  private final StalledOffsets offsets = new StalledOffsets();
  private final Set<Stalled> reported = new HashSet<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-blocked-outputs");
            thread.setDaemon(true);
            return thread;
          });
  private volatile List<Stalled> blocked = List.of();

  /**
   * @param admin is closed with this
   * @param outputs topics that are written in transactions; those that are missing are left out
   * @param inputs topics that are read, which others write too
   * @param elapsedMs a monotonic clock
   */
  BlockedOutputs(
      Admin admin,
      String bootstrapServers,
      List<String> outputs,
      List<String> inputs,
      LongSupplier elapsedMs) {
    this.admin = admin;
    this.bootstrapServers = bootstrapServers;
    this.topics = Stream.concat(outputs.stream(), inputs.stream()).toList();
    this.inputs = Set.copyOf(inputs);
    this.elapsedMs = elapsedMs;
  }

  /** Watches the topics and the changelogs of an application; {@link #start()} it. */
  static BlockedOutputs of(WeirConfig config, StreamsPlan plan, LongSupplier elapsedMs) {
    Map<String, Object> client = config.kafka().forAdmin();
    return new BlockedOutputs(
        Admin.create(client),
        client.get("bootstrap.servers").toString(),
        plan.outputs(),
        plan.inputTopics(),
        elapsedMs);
  }

  void start() {
    executor.scheduleWithFixedDelay(
        this::lookOrLeave, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
  }

  /** For how long the output that is blocked for longest has been; 0 where none is. */
  public long blockedMs() {
    long nowMs = elapsedMs.getAsLong();
    return blocked.stream().mapToLong(each -> nowMs - each.sinceMs()).max().orElse(0);
  }

  /** Which output is blocked, and how many others, in words; empty where none is. */
  public Optional<String> describe() {
    List<Stalled> now = blocked;
    if (now.isEmpty()) {
      return Optional.empty();
    }
    String others = now.size() == 1 ? "" : " and " + (now.size() - 1) + " more";
    return Optional.of(
        "%s blocked: %s at offset %d%s, see the log"
            .formatted(
                isInput(now.get(0)) ? "input" : "output",
                now.get(0).partition(),
                now.get(0).lastStableOffset(),
                others));
  }

  private void lookOrLeave() {
    try {
      look();
    } catch (KafkaException e) {
      LOG.debug("the offsets of the outputs could not be looked at", e);
    }
  }

  /** Looks once. */
  void look() {
    List<TopicPartition> partitions = partitions();
    Map<TopicPartition, Long> stable = latest(partitions, IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> ends = latest(partitions, IsolationLevel.READ_UNCOMMITTED);
    long nowMs = elapsedMs.getAsLong();
    HangingTransactions transactions = new HangingTransactions(admin);
    List<Stalled> found = new ArrayList<>();
    for (Stalled stalled : offsets.look(stable, ends, nowMs)) {
      if (nowMs - stalled.sinceMs() >= AFTER_MS) {
        Finding finding = transactions.find(stalled.partition(), stalled.lastStableOffset());
        if (!finding.isUnderWay() || isInput(stalled)) {
          found.add(stalled);
          report(stalled, finding);
        }
      }
    }
    blocked = List.copyOf(found);
    reported.retainAll(found);
  }

  private boolean isInput(Stalled stalled) {
    return inputs.contains(stalled.partition().topic());
  }

  private void report(Stalled stalled, Finding finding) {
    if (reported.add(stalled)) {
      LOG.error(
          "{}: nothing from offset {} on can be read as committed: {} {}: kafka-transactions.sh --bootstrap-server {} abort --topic {}"
              + " --partition {} --start-offset {} (see WeirOutputBlocked in docs/operate/runbook.md)",
          stalled.partition(),
          stalled.lastStableOffset(),
          finding.description(),
          finding.isUnderWay()
              ? "is open there, and only its producer, its timeout, or this ends it"
              : "hangs there. Nothing else ends it than",
          bootstrapServers,
          stalled.partition().topic(),
          stalled.partition().partition(),
          stalled.lastStableOffset());
    }
  }

  private List<TopicPartition> partitions() {
    List<TopicPartition> partitions = new ArrayList<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .values()
        .forEach(
            topic -> {
              TopicDescription found = orNull(topic);
              if (found != null) {
                found
                    .partitions()
                    .forEach(
                        each -> partitions.add(new TopicPartition(found.name(), each.partition())));
              }
            });
    return partitions;
  }

  private Map<TopicPartition, Long> latest(List<TopicPartition> partitions, IsolationLevel level) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
    ListOffsetsResult result = admin.listOffsets(asked, new ListOffsetsOptions(level));
    Map<TopicPartition, Long> found = new HashMap<>();
    for (TopicPartition partition : partitions) {
      ListOffsetsResult.ListOffsetsResultInfo offset = orNull(result.partitionResult(partition));
      if (offset != null) {
        found.put(partition, offset.offset());
      }
    }
    return found;
  }

  /** What is missing, or cannot be had now, keeps nothing else from being looked at. */
  private static <T> T orNull(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException(e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
    admin.close(Duration.ZERO);
  }
}

package io.weir.internal.app;

import io.weir.internal.app.HangingTransactions.Finding;
import io.weir.internal.time.Daemons;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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
 * Checks periodically whether the last stable offsets advance. A hanging transaction in an output
 * blocks read_committed consumers, and restores of the application, at its first record. In an
 * input, any transaction that stays open blocks the application: its producer belongs to another
 * program and may keep it open as long as the brokers allow. Uses its own thread; retries if the
 * cluster does not answer. Safe for many threads.
 */
public final class BlockedOutputs implements AutoCloseable {
  /**
   * Transactions of the application are shorter: they time out after 30 s, and coordinators check
   * every 10 s.
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
  private final Set<StalledOffsets.Stalled> reported = new HashSet<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-blocked-outputs"));
  private volatile List<StalledOffsets.Stalled> blocked = List.of();

  /**
   * @param admin closed with this object
   * @param outputs topics that are written in transactions; missing ones are ignored
   * @param inputs topics that are read and that other programs write
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

  /** Watches the topics and changelogs of an application after {@link #start()}. */
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

  /** The longest time that an output has been blocked; 0 if none is. */
  public long blockedMs() {
    long nowMs = elapsedMs.getAsLong();
    return blocked.stream().mapToLong(each -> nowMs - each.sinceMs()).max().orElse(0);
  }

  /** The blocked output, and the number of others, as text; empty if none is. */
  public Optional<String> describe() {
    List<StalledOffsets.Stalled> now = blocked;
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
      LOG.debug("could not read the offsets of the outputs", e);
    }
  }

  /** Checks once. */
  void look() {
    List<TopicPartition> partitions = partitions();
    Map<TopicPartition, Long> stable = latest(partitions, IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> ends = latest(partitions, IsolationLevel.READ_UNCOMMITTED);
    long nowMs = elapsedMs.getAsLong();
    HangingTransactions transactions = new HangingTransactions(admin);
    List<StalledOffsets.Stalled> found = new ArrayList<>();
    for (StalledOffsets.Stalled stalled : offsets.look(stable, ends, nowMs)) {
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

  private boolean isInput(StalledOffsets.Stalled stalled) {
    return inputs.contains(stalled.partition().topic());
  }

  private void report(StalledOffsets.Stalled stalled, Finding finding) {
    if (reported.add(stalled)) {
      LOG.error(
          "{}: read_committed consumers are blocked at offset {}: {} {}: kafka-transactions.sh --bootstrap-server {} abort --topic {}"
              + " --partition {} --start-offset {} (see WeirOutputBlocked in docs/operate/runbook.md)",
          stalled.partition(),
          stalled.lastStableOffset(),
          finding.description(),
          finding.isUnderWay()
              ? "is open there; its producer, its timeout or this command ends it"
              : "hangs there; only this command ends it",
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

  /** Skips partitions that are missing or do not answer. */
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

  /**
   * Measures how long the last stable offset of each partition has not advanced although records
   * follow it. read_committed consumers stop there. For one thread.
   */
  static final class StalledOffsets {
    private static final Comparator<Stalled> LONGEST_FIRST =
        Comparator.comparingLong(Stalled::sinceMs)
            .thenComparing(each -> each.partition().topic())
            .thenComparing(each -> each.partition().partition());

    private final Map<TopicPartition, Stalled> stalled = new HashMap<>();

    /**
     * A partition whose last stable offset does not advance.
     *
     * @param sinceMs first time with this offset, by the clock of {@link #look}
     */
    record Stalled(TopicPartition partition, long lastStableOffset, long sinceMs) {}

    /**
     * Adds a sample.
     *
     * @param stable last stable offsets; without partitions that did not answer
     * @param ends end offsets, read after the stable ones
     * @param nowMs a monotonic clock
     * @return partitions that do not advance, longest first
     */
    List<StalledOffsets.Stalled> look(
        Map<TopicPartition, Long> stable, Map<TopicPartition, Long> ends, long nowMs) {
      ends.forEach(
          (partition, end) -> {
            if (stable.containsKey(partition)) {
              look(partition, stable.get(partition), end, nowMs);
            }
          });
      return stalled.values().stream().sorted(LONGEST_FIRST).toList();
    }

    private void look(TopicPartition partition, long stable, long end, long nowMs) {
      if (stable >= end) {
        stalled.remove(partition);
        return;
      }
      Stalled before = stalled.get(partition);
      if (before == null || before.lastStableOffset() != stable) {
        stalled.put(partition, new Stalled(partition, stable, nowMs));
      }
    }
  }
}

package io.weir.lab;

import io.weir.reading.RejectReason;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the four topics, and rollups and hopping windows where they are on, from their beginning,
 * committed records only, in a thread of its own, and counts. {@link #tally()} is for any thread.
 * Memory: some 75 bytes for each window and rollup, and little for batches that come once and in
 * order.
 */
public final class Auditor implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicAudit audit;
  private final Thread thread = new Thread(this::run, "weir-auditor");
  private volatile AuditTally tally = AuditTally.NONE;
  private volatile RuntimeException failure;

  private Auditor(KafkaConsumer<byte[], byte[]> consumer, TopicAudit audit) {
    this.consumer = consumer;
    this.audit = audit;
  }

  /**
   * Starts to read; the topics must be there.
   *
   * @param kafka a consumer's settings, at least {@code bootstrap.servers}
   * @param watcher is shown every summary of a window, in the auditor's thread
   */
  public static Auditor start(
      Map<String, Object> kafka, TopicNames topics, Consumer<WindowSummary> watcher) {
    return start(kafka, topics, watcher, rollup -> {}, (reason, refused) -> {});
  }

  /**
   * The same.
   *
   * @param rollupWatcher is shown every summary of a rollup, in the auditor's thread
   */
  public static Auditor start(
      Map<String, Object> kafka,
      TopicNames topics,
      Consumer<WindowSummary> watcher,
      Consumer<WindowSummary> rollupWatcher) {
    return start(kafka, topics, watcher, rollupWatcher, (reason, refused) -> {});
  }

  /**
   * The same.
   *
   * @param deadLetters is shown every batch of refused readings, in the auditor's thread
   */
  public static Auditor start(
      Map<String, Object> kafka,
      TopicNames topics,
      Consumer<WindowSummary> watcher,
      BiConsumer<RejectReason, ReadingBatch> deadLetters) {
    return start(kafka, topics, watcher, rollup -> {}, deadLetters);
  }

  private static Auditor start(
      Map<String, Object> kafka,
      TopicNames topics,
      Consumer<WindowSummary> watcher,
      Consumer<WindowSummary> rollupWatcher,
      BiConsumer<RejectReason, ReadingBatch> deadLetters) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5000);
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    try {
      List<TopicPartition> partitions =
          topics.ofSensors().stream()
              .flatMap(topic -> consumer.partitionsFor(topic).stream())
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
    Auditor auditor =
        new Auditor(consumer, new TopicAudit(topics, watcher, rollupWatcher, deadLetters));
    auditor.thread.setDaemon(true);
    auditor.thread.start();
    return auditor;
  }

  /**
   * The counts of everything read so far.
   *
   * @throws IllegalStateException if the auditor could not go on; the cause says why
   */
  public AuditTally tally() {
    if (failure != null) {
      throw new IllegalStateException("the auditor stopped: " + failure.getMessage(), failure);
    }
    return tally;
  }

  /** The windows' latest summaries. Only after {@link #close()}. */
  public SummaryRows summaries() {
    requireEnded();
    return audit.summaries();
  }

  /** The rollups' latest summaries, of all sizes. Only after {@link #close()}. */
  public SummaryRows rollups() {
    requireEnded();
    return audit.rollups();
  }

  /** The latest summaries of hopping windows. Only after {@link #close()}. */
  public SummaryRows hops() {
    requireEnded();
    return audit.hops();
  }

  /**
   * Whether there is a hopping window at the end of each window read so far, with all that is in
   * its windows. Looks at each.
   */
  public boolean hopsAreWhole(long windowSizeMs) {
    return audit.hopBalance().isWhole(windowSizeMs);
  }

  private void requireEnded() {
    if (thread.isAlive()) {
      throw new IllegalStateException("the auditor still reads");
    }
  }

  /** Stops reading. May be called twice. */
  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (consumer) {
      while (true) {
        var records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
          audit.take(record);
        }
        if (!records.isEmpty()) {
          tally = audit.tally();
        }
      }
    } catch (WakeupException e) {
      tally = audit.tally();
    } catch (RuntimeException e) {
      failure = e;
    }
  }
}

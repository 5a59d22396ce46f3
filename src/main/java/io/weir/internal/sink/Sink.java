package io.weir.internal.sink;

import io.weir.internal.app.Acl;
import io.weir.internal.app.Dependency;
import io.weir.internal.app.KafkaSettings;
import io.weir.internal.app.Service;
import io.weir.internal.app.ServiceThread;
import io.weir.internal.app.StartFailures;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.postgres.Database;
import io.weir.topic.Topic;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes topics to tables of PostgreSQL, each record exactly once: offsets are in the transaction
 * of the rows, and an epoch fences a partition's previous owner. The consumer group only assigns
 * partitions. One thread reads and decodes, another writes over the single connection; several
 * processes share the work.
 */
public final class Sink implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Sink.class);

  private static final int SESSION_TIMEOUT_MS = 15_000;
  private static final long STALLED_MS = 60_000;

  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final SinkLoop loop;
  private final SinkStatus status = new SinkStatus();
  private final SinkCounters counters = new SinkCounters();
  private final ServiceThread thread;

  private Sink(WeirConfig config, Admin admin, SinkTopics topics, boolean skipLost) {
    Map<String, Object> settings = consumerSettings(config);
    this.admin = admin;
    this.consumer = BoundedConsumer.open(settings, config.maxDecompressedRecordBytes());
    int sessionMs =
        Integer.parseInt(settings.get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG).toString());
    Database database =
        new Database(
            SinkSchema.address(config.sink()),
            Database.Limits.of(Duration.ofMillis(sessionMs / 3)));
    this.loop = new SinkLoop(consumer, topics, database, config.sink(), skipLost, status, counters);
    this.thread = new ServiceThread("weir-sink", config.kafka(), rights(config), new Work());
  }

  /**
   * Checks the topics and starts to write them. The sink then waits for the database.
   *
   * @param skipLost whether to continue after records were deleted before they were written
   * @throws io.weir.internal.app.KafkaAwayException while Kafka does not answer
   * @throws io.weir.internal.app.StartRefusedException if a topic or a right is missing
   */
  public static Sink start(WeirConfig config, boolean skipLost) {
    Map<String, Object> kafka = config.kafka().forAdminWithShortWaits();
    return StartFailures.explain(
        kafka,
        rights(config),
        () -> {
          Admin admin = Admin.create(kafka);
          try {
            SinkTopics topics = new SinkTopics(admin, mappings(config));
            requireTopics(topics);
            Sink sink = new Sink(config, admin, topics, skipLost);
            sink.thread.start();
            return sink;
          } catch (RuntimeException e) {
            admin.close();
            throw e;
          }
        });
  }

  /** The consumer group of an application's sinks. */
  public static String group(String applicationId) {
    return applicationId + "-sink";
  }

  /** By the name of the topic. */
  static Map<String, TableMapping> mappings(WeirConfig config) {
    Map<String, TableMapping> mappings = new LinkedHashMap<>();
    for (Topic topic : config.sink().topics()) {
      mappings.put(config.nameOf(topic), TableMapping.of(topic, config.nameOf(Topic.READINGS)));
    }
    return mappings;
  }

  private static List<Acl> rights(WeirConfig config) {
    List<String> topics = config.sink().topics().stream().map(config::nameOf).toList();
    return Acl.ofSink(group(config.applicationId()), topics);
  }

  private static void requireTopics(SinkTopics topics) {
    try {
      topics.ids(topics.names());
    } catch (UnknownTopicOrPartitionException e) {
      throw new SinkRefusedException(
          "a topic of " + topics.names() + " does not exist: create it with weir topics");
    }
  }

  private static Map<String, Object> consumerSettings(WeirConfig config) {
    Map<String, Object> settings = KafkaSettings.shortWaits(config.kafka().forReader("none"));
    settings.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
    settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, config.sink().batchRows());
    config.instanceId().ifPresent(id -> settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, group(config.applicationId()));
    settings.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    return settings;
  }

  /** The loop in its thread. */
  private final class Work implements ServiceThread.Work {
    @Override
    public void run() {
      loop.begin();
      try {
        while (!thread.isStopping()) {
          loop.turn();
        }
      } catch (WakeupException e) {
        LOG.debug("stopped", e);
      }
      loop.finish();
    }

    @Override
    public void stop() {
      consumer.wakeup();
    }

    @Override
    public void abort() {
      loop.abort();
    }

    @Override
    public void release() {
      loop.close();
      try {
        consumer.close();
        admin.close(Duration.ofSeconds(1));
      } catch (RuntimeException e) {
        LOG.debug("could not leave the group", e);
      }
    }
  }

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return thread.ended();
  }

  @Override
  public long successAgeMs() {
    return status.successAgeMs();
  }

  @Override
  public boolean isReady() {
    return status.waits().waitsFor().isEmpty() && status.stalledMs() < STALLED_MS;
  }

  @Override
  public Map<Dependency, Long> waits() {
    return status.waits().waitsFor().isEmpty()
        ? Map.of()
        : Map.of(Dependency.DATABASE, status.successAgeMs());
  }

  @Override
  public String describe() {
    if (isReady()) {
      return "RUNNING";
    }
    String waitsFor = status.waits().waitsFor();
    return waitsFor.isEmpty()
        ? "STALLED: nothing was written for " + status.stalledMs() / 1_000 + " s"
        : "WAITING for " + waitsFor;
  }

  /** Its counters. */
  public SinkCounters counters() {
    return counters;
  }

  /** Whether it has a connection to the database. */
  public boolean isConnected() {
    return status.isConnected();
  }

  /** Partitions that it owns. */
  public int partitions() {
    return status.partitions();
  }

  /** The lag of these partitions. */
  public long lagRecords() {
    return status.lagRecords();
  }

  /** Records that wait in weir_sink_waiting for a partition of their day. */
  public long waitingRecords() {
    return status.waitingRecords();
  }

  /** Age of the oldest record that was read and is not written, in milliseconds; 0 if none. */
  public long delayMs() {
    return status.delayMs(System.currentTimeMillis());
  }

  /** Time since the last write while records wait, in milliseconds; 0 if none wait. */
  public long stalledMs() {
    return status.stalledMs();
  }

  /** Stops without cleanup, to simulate a crash. */
  void breakOff() {
    thread.breakOff();
  }

  @Override
  public void close() {
    thread.close();
  }
}

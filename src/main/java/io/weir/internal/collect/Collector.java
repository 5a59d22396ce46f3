package io.weir.internal.collect;

import io.weir.internal.app.Acl;
import io.weir.internal.app.CollectSettings;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.Dependency;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.Service;
import io.weir.internal.app.ServiceThread;
import io.weir.internal.app.StartFailures;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.postgres.Database;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends the rows of an outbox in PostgreSQL to Kafka as a gateway, each exactly once: the encoded
 * batches are committed with the cursors before they are sent, and Weir drops duplicates by their
 * sequence. One of several processes is active. One thread, one connection.
 */
public final class Collector implements Service {
  private static final int ANSWER_MS = 15_000;
  private static final int MAX_BLOCK_MS = 5_000;
  private static final int REQUEST_BYTES = 2 << 20;

  /**
   * Long.MAX_VALUE would overflow, and topics would expire from the producer's metadata
   * immediately.
   */
  private static final long METADATA_MAX_IDLE_MS = Duration.ofDays(30).toMillis();

  private final CollectLoop loop;
  private final CollectStatus status = new CollectStatus();
  private final CollectCounters counters = new CollectCounters();
  private final ServiceThread thread;

  private Collector(WeirConfig config, CollectPlan plan) {
    CollectSettings settings = config.collect();
    Duration silence = settings.healthcheckInterval();
    Database database =
        new Database(
            CollectSchema.address(settings),
            new Database.Limits(
                silence.multipliedBy(2).dividedBy(3), silence, plan.lease().dividedBy(2)));
    Map<String, Object> producer = producerSettings(config, plan.gatewayId());
    Sender sender = new Sender(new OutgoingRecords(config, plan.gatewayId()), () -> open(producer));
    this.loop = new CollectLoop(plan, database, sender, status, counters);
    this.thread =
        new ServiceThread(
            "weir-collect", config.kafka(), Acl.ofCollect(config.topics()), new Work());
  }

  /**
   * Checks the topics and starts to collect. The collector then waits for the database.
   *
   * @throws io.weir.internal.app.KafkaAwayException while Kafka does not answer
   * @throws StartRefusedException if a topic or a right is missing
   */
  public static Collector start(WeirConfig config) {
    return start(config, CollectPlan.LEASE);
  }

  static Collector start(WeirConfig config, Duration lease) {
    CollectPlan plan =
        new CollectPlan(
            gatewayId(config),
            config.collect(),
            config.limits(),
            config.topics().topics().contains(Topic.EVENTS),
            lease);
    Map<String, Object> kafka = config.kafka().forAdminWithShortWaits();
    return StartFailures.explain(
        kafka,
        Acl.ofCollect(config.topics()),
        () -> {
          try (Admin admin = Admin.create(kafka)) {
            requireTopics(admin, topics(config));
          }
          Collector collector = new Collector(config, plan);
          collector.thread.start();
          return collector;
        });
  }

  /**
   * The gateway id.
   *
   * @throws ConfigException if weir.gateway.id is not set
   */
  static String gatewayId(WeirConfig config) {
    return config
        .edge()
        .gatewayId()
        .orElseThrow(
            () ->
                new ConfigException(
                    EdgeKeys.GATEWAY_ID.propertyName()
                        + " is not set: expected: the name of a gateway, the same for all collectors of an outbox"));
  }

  static List<String> topics(WeirConfig config) {
    return Stream.of(Channel.values())
        .filter(channel -> config.topics().topics().contains(channel.topic()))
        .map(channel -> config.nameOf(channel.topic()))
        .toList();
  }

  private static void requireTopics(Admin admin, List<String> topics) {
    try {
      KafkaFutures.await(admin.describeTopics(topics).allTopicNames())
          .forEach(
              (name, found) -> {
                if (found.partitions().size() != SensorPartition.COUNT) {
                  throw new CollectRefusedException(
                      "topic %s has %d partitions and must have %d; create it again with weir topics"
                          .formatted(name, found.partitions().size(), SensorPartition.COUNT));
                }
              });
    } catch (UnknownTopicOrPartitionException e) {
      throw new CollectRefusedException(
          "a topic of " + topics + " does not exist: create it with weir topics");
    }
  }

  /** One request in flight keeps the batches of a partition in order. */
  private static Map<String, Object> producerSettings(WeirConfig config, String gatewayId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "weir-collect-" + gatewayId);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MS);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * ANSWER_MS);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
    settings.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_MAX_IDLE_MS);
    settings.putAll(config.kafka().forProducer());
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES);
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    return settings;
  }

  private static Producer<byte[], byte[]> open(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** The loop in its thread. */
  private final class Work implements ServiceThread.Work {
    @Override
    public void run() throws InterruptedException {
      loop.run();
    }

    @Override
    public void stop() {
      loop.stop();
    }

    @Override
    public void abort() {
      loop.abort();
    }
  }

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return thread.ended();
  }

  @Override
  public long successAgeMs() {
    return status.stalledMs();
  }

  @Override
  public boolean isReady() {
    return status.waits().waitsFor().isEmpty();
  }

  @Override
  public Map<Dependency, Long> waits() {
    return isReady()
        ? Map.of()
        : Map.of(status.isConnected() ? Dependency.KAFKA : Dependency.DATABASE, status.stalledMs());
  }

  @Override
  public String describe() {
    if (!isReady()) {
      return "WAITING for " + status.waits().waitsFor();
    }
    String heldBack = status.heldBackBy();
    return !status.isActive()
        ? "STANDBY"
        : heldBack.isEmpty() ? "RUNNING" : "RUNNING, held back by " + heldBack;
  }

  /** Its counters. */
  public CollectCounters counters() {
    return counters;
  }

  /** Whether it has a connection to the database. */
  public boolean isConnected() {
    return status.isConnected();
  }

  /** Whether it holds the lease. */
  public boolean isActive() {
    return status.isActive();
  }

  /** Rows that wait, as they were counted last, up to 100,000 of each priority, or in flight. */
  public long behindRows() {
    return status.behindRows();
  }

  /**
   * Time since it last read the outbox with all rows acknowledged, or was a standby; in
   * milliseconds, also during failures.
   */
  public long stalledMs() {
    return status.stalledMs();
  }

  /** Approximate age of the transaction of the oldest waiting row, in milliseconds. */
  public long oldestMs() {
    return status.oldestMs();
  }

  /** The current row limit of a batch. */
  public int limitRows() {
    return status.limitRows();
  }

  /** Kinds of transactions that hold rows back: transaction, prepared, unknown. */
  public static Stream<String> holders() {
    return Stream.of(HeldBack.By.values()).map(HeldBack.By::name);
  }

  /** Time for which this kind has held rows back, in milliseconds; 0 if it does not. */
  public long heldBackMs(String by) {
    return status.heldBackMs(HeldBack.By.valueOf(by));
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

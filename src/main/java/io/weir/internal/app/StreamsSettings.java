package io.weir.internal.app;

import io.weir.internal.topology.CommitPace;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicSettings;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of Kafka Streams: user settings, overridden by those that exactly-once processing
 * requires.
 */
final class StreamsSettings {
  /** Maximum buffered records of a partition; each is a batch of up to 1 MiB. */
  private static final int BUFFERED_RECORDS = 64;

  private static final int POLLED_RECORDS = 256;

  /**
   * The commit interval without emissions: {@link CommitPace} keeps it, and commits sooner with
   * emissions. A commit costs a marker in each written partition, and some bytes of changelog for
   * each sensor with readings since the previous one.
   */
  static final long COMMIT_INTERVAL_MS = 2_000;

  /** The transaction timeout: longer than a failover of a broker's partitions. */
  static final int TRANSACTION_TIMEOUT_MS = 30_000;

  private static final int REQUEST_TIMEOUT_MS = 10_000;

  /** Entries of the changelog are small and many. */
  private static final int PRODUCER_BATCH_BYTES = 128 * 1024;

  /**
   * fetch.min.bytes and fetch.max.wait.ms. With Kafka's defaults each batch of a gateway is a
   * separate response, which costs the broker more than the batch.
   */
  private static final int FETCHED_BYTES = 32 * 1024;

  private static final int FETCH_WAIT_MS = 25;

  /** Overhead of a record beside its key, value and headers. */
  private static final int REQUEST_OVERHEAD = 4096;

  private StreamsSettings() {}

  /**
   * @param maxRecordBytes the largest record that the topology writes
   * @param changelog settings of the changelog topics
   */
  static Properties of(
      WeirConfig config, String applicationId, int maxRecordBytes, TopicSettings changelog) {
    Properties settings = defaults();
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG),
        config.outputCompression());
    config.kafka().passed().keySet().forEach(name -> KafkaSettings.removeOfClients(settings, name));
    settings.putAll(config.kafka().passed());
    ownOfProducers(settings, maxRecordBytes);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
    settings.put(
        StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
        config.kafka().forAdmin().get(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG));
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) changelog.replicas());
    changelog
        .config()
        .forEach((name, value) -> settings.put(StreamsConfig.topicPrefix(name), value));
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    settings.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    config
        .instanceId()
        .ifPresent(
            id -> {
              settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id);
              settings.putIfAbsent(StreamsConfig.CLIENT_ID_CONFIG, id);
            });
    return settings;
  }

  /** Raises the transaction timeout to a minimum. */
  static void allowTransactions(Properties settings, int leastMs) {
    String name = ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
    String ofProducers = StreamsConfig.producerPrefix(name);
    Object found = settings.getOrDefault(ofProducers, settings.get(name));
    // Streams compares the setting of this name alone with its commit interval.
    settings.put(ofProducers, Math.max(Integer.parseInt(found.toString().trim()), leastMs));
  }

  /**
   * Makes the interval of Kafka Streams longer than any that {@link CommitPace} keeps; call it
   * after {@link #allowTransactions}.
   *
   * @throws StartRefusedException if the transaction timeout is shorter
   */
  static void leaveCommitsTo(Properties settings, long intervalMs) {
    long longestMs = intervalMs + CommitPace.LONGEST_REST_MS;
    String name = ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
    int timeoutMs = (int) settings.get(StreamsConfig.producerPrefix(name));
    if (timeoutMs < longestMs) {
      throw new StartRefusedException(
          "kafka."
              + name
              + " "
              + timeoutMs
              + " is too short: expected: at least "
              + longestMs
              + ", the commit interval and "
              + CommitPace.LONGEST_REST_MS);
    }
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, longestMs);
  }

  private static Properties defaults() {
    Properties settings = new Properties();
    settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, BUFFERED_RECORDS);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MS);
    // Weir has its own metrics; names for a broker's collector cost a tenth of a start's CPU.
    settings.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    // A task has one partition and need not wait for others; Streams 4.3.1 formats text about
    // this wait whenever a task has no records.
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    // A task without an answer from Kafka waits, instead of failing its thread.
    settings.put(StreamsConfig.TASK_TIMEOUT_MS_CONFIG, Duration.ofDays(3650).toMillis());
    // The cleaner of 4.3.1 may consider a task directory stale that was just released.
    settings.put(StreamsConfig.STATE_CLEANUP_DELAY_MS_CONFIG, Duration.ofDays(1).toMillis());
    // A new instance restores the state of all its future partitions at once, and owns them a //
    // minute later. With Streams' defaults it would get two partitions every ten minutes.
    settings.put(StreamsConfig.MAX_WARMUP_REPLICAS_CONFIG, SensorPartition.COUNT);
    settings.put(
        StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, Duration.ofMinutes(1).toMillis());
    settings.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), POLLED_RECORDS);
    settings.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), FETCHED_BYTES);
    settings.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), FETCH_WAIT_MS);
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 15_000);
    // A member learns of a rebalance at its next heartbeat.
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);
    // The failover of a killed broker takes nine seconds: a transaction survives it.
    // Transactions of former members are aborted sooner.
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        TRANSACTION_TIMEOUT_MS);
    // A half-open connection times out before the transaction.
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG), REQUEST_TIMEOUT_MS);
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), PRODUCER_BATCH_BYTES);
    return settings;
  }

  /** Defaults that only settings with the producer prefix replace. */
  private static void ownOfProducers(Properties settings, int maxRecordBytes) {
    // With more, requests overtake one that a new leader refused: they are refused as out of
    // order, again and again, until the transaction times out.
    settings.putIfAbsent(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
    settings.putIfAbsent(
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Math.addExact(maxRecordBytes, REQUEST_OVERHEAD));
  }
}

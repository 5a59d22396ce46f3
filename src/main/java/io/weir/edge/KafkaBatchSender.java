package io.weir.edge;

import com.google.protobuf.Message;
import io.weir.internal.registry.ValueFormat;
import io.weir.signing.BatchSigner;
import io.weir.topic.SensorPartition;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends with a KafkaProducer: the key is the gateway id, the partition is the batch's. {@link
 * ProducerSettings} has its configuration.
 */
final class KafkaBatchSender implements BatchSender {
  private final Producer<byte[], byte[]> producer;
  private final NetworkThread networkThread;
  private final String topic;
  private final byte[] key;
  private final ValueFormat.Writer values;
  private final Optional<BatchSigner> signer;
  private final AtomicReference<Exception> firstFailure = new AtomicReference<>();

  KafkaBatchSender(
      Producer<byte[], byte[]> producer, PublisherSettings settings, ValueFormat.Writer values) {
    this.producer = producer;
    this.networkThread = NetworkThread.of(producer);
    this.values = values;
    this.topic = settings.topic();
    this.signer = settings.signingKey().map(own -> BatchSigner.of(settings.topic(), own));
    this.key = settings.gatewayId().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Opens a sender after checking the topic. If a registry is set, requests the schema id once.
   *
   * @param message the message type of the batches
   * @throws RuntimeException if the topic is missing or invalid, or a request fails
   */
  static KafkaBatchSender open(PublisherSettings settings, ValueFormat format, Message message) {
    Map<String, Object> producerSettings = ProducerSettings.of(settings);
    TopicCheck.check(producerSettings, settings.topic());
    ValueFormat.Writer values = format.writer(settings.topic(), message);
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(producerSettings, new ByteArraySerializer(), new ByteArraySerializer());
    try {
      // Fetch metadata here, where blocking is harmless, so that sends do not block.
      producer.partitionsFor(settings.topic());
    } catch (RuntimeException | Error e) {
      producer.close(Duration.ZERO);
      throw e;
    }
    return new KafkaBatchSender(producer, settings, values);
  }

  @Override
  public void send(SequencedBatch batch, Outcome outcome) {
    produce(batch, failure -> settle(failure, outcome));
  }

  @Override
  public void sendAlone(SequencedBatch batch, Outcome outcome) {
    produce(
        batch,
        failure -> {
          if (failure instanceof BatchRefusedException || failure instanceof RetriableException) {
            // Nothing of the partition is queued behind it, so nothing can overtake it.
            outcome.accept(failure);
          } else {
            settle(failure, outcome);
          }
        });
  }

  @Override
  public boolean isAlive() {
    return networkThread.isAlive();
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    networkThread.closeSocketsIfDead();
  }

  private void produce(SequencedBatch batch, Outcome outcome) {
    if (firstFailure.get() != null) {
      outcome.accept(firstFailure.get());
      return;
    }
    try {
      Headers headers = new RecordHeaders();
      byte[] value = values.write(batch.value(), headers);
      signer.ifPresent(own -> own.sign(batch.partition(), value, headers));
      producer.send(
          new ProducerRecord<>(topic, batch.partition(), null, key, value, headers),
          (metadata, failure) -> outcome.accept(named(failure, batch)));
    } catch (RuntimeException e) {
      outcome.accept(named(e, batch));
    }
  }

  private static Exception named(Exception failure, SequencedBatch batch) {
    return failure instanceof RecordTooLargeException
            || failure instanceof RecordBatchTooLargeException
        ? new BatchRefusedException(batch, failure)
        : failure;
  }

  /**
   * Reports the outcome. The first failure closes the producer before its network thread sends the
   * partition's next batch, which would overtake the failed one; a close within a callback of that
   * thread does not wait. Batches that fail because of the close have the first failure as their
   * cause.
   */
  private void settle(Exception failure, Outcome outcome) {
    if (failure == null) {
      outcome.accept(null);
      return;
    }
    boolean first = firstFailure.compareAndSet(null, failure);
    outcome.accept(firstFailure.get());
    if (first) {
      producer.close(Duration.ZERO);
    }
  }

  /**
   * The network thread of a KafkaProducer. An Error, such as OutOfMemoryError, ends it silently:
   * the producer still accepts batches but completes none, and its sockets stay open, because Kafka
   * closes them only at the normal end of that thread. Kafka has no API for either, so this uses
   * reflection. If Kafka's internals change, the thread counts as alive and nothing is closed.
   */
  static final class NetworkThread {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkThread.class);

    private final Thread thread;
    private final KafkaClient client;

    private NetworkThread(Thread thread, KafkaClient client) {
      this.thread = thread;
      this.client = client;
    }

    static NetworkThread of(Producer<?, ?> producer) {
      if (!(producer instanceof KafkaProducer)) {
        return new NetworkThread(null, null);
      }
      try {
        Thread thread = (Thread) valueOf(producer, "ioThread");
        KafkaClient client = (KafkaClient) valueOf(valueOf(producer, "sender"), "client");
        return new NetworkThread(thread, client);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn(
            "Cannot watch the producer's network thread; if it dies, its replacement is "
                + "delayed",
            e);
        return new NetworkThread(null, null);
      }
    }

    private static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
      Field field = owner.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    }

    /** False once the thread has ended. Thread-safe. */
    boolean isAlive() {
      return thread == null || thread.isAlive();
    }

    /** Closes the sockets of a dead thread. Call after the producer's close. */
    void closeSocketsIfDead() {
      // A live thread closes them itself, and they are not thread-safe.
      if (isAlive() || !client.active()) {
        return;
      }
      try {
        client.close();
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot close the sockets of a failed producer", e);
      }
    }
  }

  /**
   * Checks the readings topic before the first send. It uses an admin client, because a producer's
   * metadata request creates a missing topic with the default number of partitions if brokers allow
   * that.
   */
  static final class TopicCheck {
    private static final long TIMEOUT_SECONDS = 20;
    private static final String LOG_APPEND_TIME = "LogAppendTime";

    private TopicCheck() {}

    /**
     * Returns if the topic exists and is valid.
     *
     * @throws RuntimeException if it is not, or brokers do not respond; the message names the
     *     remedy
     */
    static void check(Map<String, Object> producerSettings, String topic) {
      Map<String, Object> settings = new HashMap<>(producerSettings);
      settings.keySet().retainAll(AdminClientConfig.configNames());
      String servers = String.valueOf(settings.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG));
      Admin admin = Admin.create(settings);
      try {
        checkPartitions(admin, servers, topic);
        checkTimestamps(admin, servers, topic);
      } finally {
        // Otherwise it would wait up to a minute for pending responses.
        admin.close(Duration.ZERO);
      }
    }

    private static void checkPartitions(Admin admin, String servers, String topic) {
      int partitions;
      try {
        partitions =
            await(servers, admin.describeTopics(List.of(topic)).allTopicNames())
                .get(topic)
                .partitions()
                .size();
      } catch (UnknownTopicOrPartitionException e) {
        throw new IllegalStateException(
            "topic '" + topic + "' does not exist; create it with 'weir topics'", e);
      }
      if (partitions != SensorPartition.COUNT) {
        throw new IllegalStateException(
            "topic '%s' has %d partitions and must have %d; create it again with 'weir topics'"
                .formatted(topic, partitions, SensorPartition.COUNT));
      }
    }

    private static void checkTimestamps(Admin admin, String servers, String topic) {
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      ConfigEntry type;
      try {
        Config config =
            await(servers, admin.describeConfigs(List.of(resource)).all()).get(resource);
        type = config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
      } catch (AuthorizationException e) {
        // A gateway needs no DESCRIBE_CONFIGS permission; the application checks the settings too.
        return;
      }
      if (type != null && !LOG_APPEND_TIME.equals(type.value())) {
        throw new IllegalStateException(
            "topic '%s' has message.timestamp.type %s and must have %s; 'weir topics' says how"
                .formatted(topic, type.value(), LOG_APPEND_TIME));
      }
    }

    private static <T> T await(String servers, KafkaFuture<T> future) {
      try {
        return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new KafkaException(e.getCause());
      } catch (TimeoutException e) {
        throw new org.apache.kafka.common.errors.TimeoutException(
            "no answer from the brokers at " + servers, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new org.apache.kafka.common.errors.InterruptException(e);
      }
    }
  }
}

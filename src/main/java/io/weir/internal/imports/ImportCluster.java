package io.weir.internal.imports;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.registry.ValueFormat;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import io.weir.topic.KafkaFutures;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A cluster with the topics that an import writes, and the clients of the import. */
public final class ImportCluster implements AutoCloseable {
  /** The consumer holds as much of each paused partition: of 64 it is 16 MiB. */
  private static final int PARTITION_FETCH_BYTES = 256 << 10;

  private final WeirConfig config;
  private final ImportSettings settings;
  private final Admin admin;
  private final TopicAdmin topics;

  private ImportCluster(WeirConfig config, ImportSettings settings, Admin admin) {
    this.config = config;
    this.settings = settings;
    this.admin = admin;
    // It may not see other topics.
    this.topics = new TopicAdmin(admin, config.topics().of(User.IMPORT), config.topicOptions());
  }

  /**
   * Connects, and creates the topic with the progress if it is missing.
   *
   * @throws ImportRefusedException if a topic of Weir is missing, or is a source
   */
  public static ImportCluster open(WeirConfig config, ImportSettings settings) {
    Admin admin = Admin.create(config.kafka().forAdminWithShortWaits());
    ImportCluster cluster = new ImportCluster(config, settings, admin);
    try {
      cluster.check();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void check() {
    for (String own : List.of(settings.readings(), settings.deadLetters())) {
      if (settings.sources().contains(own)) {
        throw new ImportRefusedException(
            own + " is a topic of Weir: expected: topics of other programs");
      }
      if (topics.id(own).isEmpty()) {
        throw new ImportRefusedException(
            "no topic " + own + " on the cluster: create it with weir topics");
      }
    }
    topics.createProgress(settings.progress());
  }

  /** The clients of a session. */
  public Import.Clients clients() {
    int requestBytes =
        Math.max(
            topics.maxMessageBytes(settings.readings()),
            topics.maxMessageBytes(settings.deadLetters()));
    return new Import.Clients(
        this::consumer, () -> producer(requestBytes), this::reader, topics::id, this::end);
  }

  /**
   * How records are read by a reader and written.
   *
   * @param ordered whether each sensor is in one source partition, in the order of its times
   */
  public Import.Form form(RecordReader reader, boolean ordered) {
    ValueFormat.Writer writer =
        ValueFormat.of(config.values())
            .writer(settings.readings(), ReadingBatch.getDefaultInstance());
    Optional<GatewayKey> key = config.signing().gatewayKey(settings.signingGatewayId());
    byte[] longestKey = settings.signingGatewayId().getBytes(StandardCharsets.UTF_8);
    int onTopic =
        new SizeGuard(topics.maxMessageBytes(settings.readings()))
            .roomForValue(longestKey, new RecordHeaders());
    return new Import.Form(
        reader,
        writer,
        config.limits().maxBatchReadings(),
        Math.min(onTopic, config.limits().maxRecordBytes())
            - writer.mostAddedBytes()
            - (key.isPresent() ? BatchSigner.MOST_ADDED_BYTES : 0),
        topics.maxMessageBytes(settings.deadLetters()),
        key,
        ordered);
  }

  private long end(TopicPartition partition) {
    return KafkaFutures.await(
            admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
        .offset();
  }

  private Consumer<byte[], byte[]> consumer() {
    Map<String, Object> own = config.kafka().forReader("none");
    own.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
    own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Import.FULL_POLL);
    own.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "30000");
    own.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_FETCH_BYTES);
    return BoundedConsumer.open(own, config.maxDecompressedRecordBytes());
  }

  private Consumer<byte[], byte[]> reader() {
    return BoundedConsumer.open(
        config.kafka().forReader("earliest"), config.maxDecompressedRecordBytes());
  }

  private Producer<byte[], byte[]> producer(int maxRequestBytes) {
    Map<String, Object> own = config.kafka().forProducer();
    own.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    own.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) ImportTransaction.TIMEOUT.toMillis());
    own.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, settings.transactionalId());
    own.put(ProducerConfig.ACKS_CONFIG, "all");
    own.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    own.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRequestBytes);
    return new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void close() {
    admin.close(ImportTransaction.TIMEOUT);
  }
}

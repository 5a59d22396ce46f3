package io.weir.lab.bench;

import io.weir.edge.Compression;
import io.weir.signing.BatchSigner;
import io.weir.topic.KafkaFutures;
import io.weir.topic.Replication;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicOptions;
import io.weir.topic.TopicPlan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Puts loads on their topics, before anything is measured. */
final class LoadGenerator {
  /** Event times lie in the past, or the end of a load would be from the future. */
  private static final long BACK_MS = Duration.ofHours(6).toMillis();

  private static final byte[] KEY = LoadBatches.GATEWAY.getBytes(StandardCharsets.UTF_8);

  private final String bootstrapServers;
  private final Admin admin;
  private final Compression compression;

  /**
   * @param compression of the records
   */
  LoadGenerator(String bootstrapServers, Admin admin, Compression compression) {
    this.bootstrapServers = bootstrapServers;
    this.admin = admin;
    this.compression = compression;
  }

  /**
   * Writes a load; returns when all of it is acknowledged.
   *
   * @param nowMs wall clock
   * @throws KafkaException if something was not
   */
  LoadedTopic generate(Load load, long nowMs) {
    createTopic(load.topic());
    LoadBatches batches = new LoadBatches(load, nowMs - BACK_MS);
    Optional<BatchSigner> signer =
        load.signed() ? Optional.of(BenchKeys.signer(load.topic())) : Optional.empty();
    AtomicReference<Exception> failure = new AtomicReference<>();
    long[] count = new long[2];
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings(bootstrapServers, compression))) {
      batches.writeTo(
          (partition, batch, readings) -> {
            ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(load.topic(), partition, KEY, batch);
            signer.ifPresent(of -> of.sign(partition, batch, record.headers()));
            producer.send(record, (metadata, e) -> failure.compareAndSet(null, e));
            count[0] += readings;
            count[1]++;
          });
    }
    if (failure.get() != null) {
      throw new KafkaException(failure.get());
    }
    return new LoadedTopic(load, count[0], count[1], Cluster.bytesOf(admin, load.topic()));
  }

  private void createTopic(String topic) {
    TopicNames names = new TopicNames(topic, topic + ".w", topic + ".l", topic + ".d");
    NewTopic plan =
        new NewTopic(topic, SensorPartition.COUNT, (short) 1)
            .configs(TopicPlan.of(names, TopicOptions.DEFAULT, Replication.NONE).get(0).config());
    KafkaFutures.await(admin.createTopics(List.of(plan)).all());
  }

  /** Of a producer that writes a load. */
  static Map<String, Object> settings(String bootstrapServers, Compression compression) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(
        ProducerConfig.COMPRESSION_TYPE_CONFIG, compression.name().toLowerCase(Locale.ROOT));
    // As the publisher sends: a request at a time, batches of up to 128 KiB.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 50);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 2 << 20);
    return settings;
  }
}

package io.weir.dev.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/** Kafka's clients for Streams, with a planted bug in what passes through them. */
final class SabotagedClients implements KafkaClientSupplier {
  private static final int ONE_DOUBLED_IN = 50;

  /** Windows that a thread has sent and not committed when it dies on purpose. */
  private static final int LAST_WORDS = 20;

  private final PlantedBug bug;
  private final TopicNames topics;
  private final AtomicBoolean dies = new AtomicBoolean();
  private final AtomicInteger uncommitted = new AtomicInteger();

  SabotagedClients(PlantedBug bug, TopicNames topics) {
    this.bug = bug;
    this.topics = topics;
  }

  /** Lets a thread die once, after it has written windows and before it has committed them. */
  SabotagedClients dyingOnce() {
    dies.set(true);
    return this;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new SabotagedProducer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new SabotagedConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  private final class SabotagedConsumer extends KafkaConsumer<byte[], byte[]> {
    SabotagedConsumer(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      if (bug != PlantedBug.NO_DEDUPLICATION) {
        return records;
      }
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> changed = new HashMap<>();
      for (TopicPartition partition : records.partitions()) {
        List<ConsumerRecord<byte[], byte[]>> unsequenced = new ArrayList<>();
        records.records(partition).forEach(record -> unsequenced.add(unsequenced(record)));
        changed.put(partition, unsequenced);
      }
      return new ConsumerRecords<>(changed, records.nextOffsets());
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
      super.commitSync(offsets);
      uncommitted.set(0);
    }
  }

  private static ConsumerRecord<byte[], byte[]> unsequenced(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    try {
      value =
          ReadingBatch.parseFrom(value).toBuilder()
              .clearBootId()
              .clearSequence()
              .build()
              .toByteArray();
    } catch (InvalidProtocolBufferException | NullPointerException e) {
      // Poison stays what it is.
    }
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        value == null ? -1 : value.length,
        record.key(),
        value,
        record.headers(),
        record.leaderEpoch());
  }

  private final class SabotagedProducer extends KafkaProducer<byte[], byte[]> {
    private int windows;

    SabotagedProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (bug == PlantedBug.LATE_DROPPED && record.topic().equals(topics.late())) {
        RecordMetadata nowhere =
            new RecordMetadata(
                new TopicPartition(record.topic(), record.partition()), -1, 0, -1, 0, 0);
        callback.onCompletion(nowhere, null);
        return CompletableFuture.completedFuture(nowhere);
      }
      boolean window = record.topic().equals(topics.windows());
      if (window && uncommitted.incrementAndGet() > LAST_WORDS && dies.getAndSet(false)) {
        throw new IllegalStateException("a thread dies on purpose");
      }
      if (bug == PlantedBug.DOUBLED_EMISSION && window && ++windows % ONE_DOUBLED_IN == 0) {
        super.send(record, (metadata, failure) -> {});
      }
      return super.send(record, callback);
    }
  }
}

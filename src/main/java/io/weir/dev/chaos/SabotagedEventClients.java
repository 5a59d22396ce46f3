package io.weir.dev.chaos;

import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/** Kafka's clients for Streams, with a planted bug of events in what passes through them. */
final class SabotagedEventClients implements KafkaClientSupplier {
  private static final int ONE_IN = 50;
  private static final long EARLY_MS = 1_500;

  private final PlantedBug bug;
  private final TopicNames topics;

  SabotagedEventClients(PlantedBug bug, TopicNames topics) {
    this.bug = bug;
    this.topics = topics;
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
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> changed = new HashMap<>();
      for (TopicPartition partition : records.partitions()) {
        List<ConsumerRecord<byte[], byte[]>> each = new ArrayList<>();
        records.records(partition).forEach(record -> each.add(sabotaged(record)));
        changed.put(partition, each);
      }
      return new ConsumerRecords<>(changed, records.nextOffsets());
    }
  }

  private ConsumerRecord<byte[], byte[]> sabotaged(ConsumerRecord<byte[], byte[]> record) {
    if (bug != PlantedBug.TIMERS_EARLY || !record.topic().equals(topics.of(Topic.SCHEDULED))) {
      return record;
    }
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp() + EARLY_MS,
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key(),
        record.value(),
        record.headers(),
        Optional.empty());
  }

  private final class SabotagedProducer extends KafkaProducer<byte[], byte[]> {
    private int sent;

    SabotagedProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      boolean part = record.topic().equals(topics.of(Topic.GROUP_PARTS));
      if (bug == PlantedBug.GROUP_PART_LOST && part && ++sent % ONE_IN == 0) {
        RecordMetadata nowhere =
            new RecordMetadata(
                new TopicPartition(record.topic(), record.partition()), -1, 0, -1, 0, 0);
        callback.onCompletion(nowhere, null);
        return CompletableFuture.completedFuture(nowhere);
      }
      boolean fold = record.topic().equals(topics.of(Topic.FOLDED));
      if (bug == PlantedBug.FOLD_DOUBLED && fold && ++sent % ONE_IN == 0) {
        super.send(record, (metadata, failure) -> {});
      }
      return super.send(record, callback);
    }
  }
}

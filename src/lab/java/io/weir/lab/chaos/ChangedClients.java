package io.weir.lab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/** Kafka's clients for Streams, of which the input's consumer hands on changed records. */
abstract class ChangedClients implements KafkaClientSupplier {
  /** What is handed on in place of a record that was read. */
  protected abstract ConsumerRecord<byte[], byte[]> changed(ConsumerRecord<byte[], byte[]> record);

  @Override
  public final Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new ChangedConsumer(config);
  }

  @Override
  public final Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public final Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  /** A consumer of the input. */
  protected class ChangedConsumer extends KafkaConsumer<byte[], byte[]> {
    ChangedConsumer(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> changed = new HashMap<>();
      for (TopicPartition partition : records.partitions()) {
        List<ConsumerRecord<byte[], byte[]>> each = new ArrayList<>();
        records.records(partition).forEach(record -> each.add(changed(record)));
        changed.put(partition, each);
      }
      return new ConsumerRecords<>(changed, records.nextOffsets());
    }
  }

  /** Acknowledges a record that was not sent. */
  protected static Future<RecordMetadata> acknowledgeUnsent(
      ProducerRecord<byte[], byte[]> record, Callback callback) {
    RecordMetadata nowhere =
        new RecordMetadata(new TopicPartition(record.topic(), record.partition()), -1, 0, -1, 0, 0);
    callback.onCompletion(nowhere, null);
    return CompletableFuture.completedFuture(nowhere);
  }
}

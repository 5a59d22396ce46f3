package io.weir.peers;

import io.weir.lab.bench.Task;
import java.util.Properties;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Where a job reads and writes.
 *
 * @param windows the topic for its windows
 */
record Topics(Task task, String windows) {
  private static final String BATCH_BYTES = Integer.toString(128 << 10);

  /**
   * Below the broker's limit, 15 minutes, which Flink's default, an hour, is above; and longer than
   * any restart, or what the last checkpoint covers is aborted before it is committed.
   */
  private static final String TRANSACTION_TIMEOUT_MS = "600000";

  <T> KafkaSource<T> source(KafkaRecordDeserializationSchema<T> deserializer) {
    return KafkaSource.<T>builder()
        .setBootstrapServers(task.bootstrapServers())
        .setTopics(task.topic())
        .setGroupId(task.run())
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setDeserializer(deserializer)
        .build();
  }

  /** Exactly once: what a checkpoint covers is committed with it. */
  Sink<SensorWindow> sink() {
    Properties producer = new Properties();
    producer.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    producer.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    producer.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
    return KafkaSink.<SensorWindow>builder()
        .setBootstrapServers(task.bootstrapServers())
        .setKafkaProducerConfig(producer)
        .setRecordSerializer(new ToRecord(windows))
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(task.run())
        .build();
  }
}

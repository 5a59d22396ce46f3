package io.weir.lab.chaos;

import io.weir.signing.BatchSigner;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A planted bug: sends events as a gateway of its own, in no transaction. Uses the settings that
 * the process has. Safe for many threads.
 */
final class OutsideSends {
  private static final String GATEWAY = "outside-" + ProcessHandle.current().pid();
  private static final long BOOT = System.currentTimeMillis() << 20;
  private static final Map<Integer, Long> SEQUENCES = new HashMap<>();
  private static KafkaProducer<byte[], byte[]> producer;
  private static Optional<BatchSigner> signer;

  private OutsideSends() {}

  /** Where it sends to. */
  static synchronized void open(String bootstrapServers) {
    producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    signer =
        ChaosKeys.derived(System.getenv(), GATEWAY)
            .map(key -> BatchSigner.of(Topic.EVENTS.defaultName(), key));
  }

  static synchronized void send(Event event) {
    int partition = SensorPartition.of(event.getKey());
    byte[] value =
        EventBatch.newBuilder()
            .setGatewayId(GATEWAY)
            .setBootId(BOOT)
            .setSequence(SEQUENCES.merge(partition, 1L, Long::sum))
            .addEvents(event)
            .build()
            .toByteArray();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(Topic.EVENTS.defaultName(), partition, null, value);
    signer.ifPresent(each -> each.sign(partition, value, record.headers()));
    producer.send(record);
  }
}

package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's clients for Streams, with a planted bug of events in what passes through them. */
final class SabotagedEventClients extends ChangedClients {
  private static final int ONE_IN = 50;
  private static final long EARLY_MS = 1_500;

  private final PlantedBug bug;
  private final TopicNames topics;

  SabotagedEventClients(PlantedBug bug, TopicNames topics) {
    this.bug = bug;
    this.topics = topics;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new SabotagedProducer(config);
  }

  @Override
  protected ConsumerRecord<byte[], byte[]> changed(ConsumerRecord<byte[], byte[]> record) {
    boolean isOfEvents = record.topic().equals(topics.of(Topic.EVENTS));
    if (bug == PlantedBug.FOLD_WITHOUT_TIMES && isOfEvents && record.value() != null) {
      return changed(record, record.timestamp(), withoutTimes(record.value()));
    }
    if (bug != PlantedBug.TIMERS_EARLY || !record.topic().equals(topics.of(Topic.SCHEDULED))) {
      return record;
    }
    return changed(record, record.timestamp() + EARLY_MS, record.value());
  }

  private static byte[] withoutTimes(byte[] value) {
    try {
      EventBatch.Builder batch = EventBatch.parseFrom(value).toBuilder();
      batch.getEventsBuilderList().forEach(Event.Builder::clearFieldTimestampsMs);
      return batch.build().toByteArray();
    } catch (InvalidProtocolBufferException e) {
      return value;
    }
  }

  private static ConsumerRecord<byte[], byte[]> changed(
      ConsumerRecord<byte[], byte[]> record, long timestampMs, byte[] value) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        timestampMs,
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key(),
        value,
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
        return acknowledgeUnsent(record, callback);
      }
      boolean fold = record.topic().equals(topics.of(Topic.FOLDED));
      if (bug == PlantedBug.FOLD_DOUBLED && fold && ++sent % ONE_IN == 0) {
        super.send(record, (metadata, failure) -> {});
      }
      return super.send(record, callback);
    }
  }
}

package io.weir.internal.redrive;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.lab.Commits;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records as the application writes them: within transactions. */
public final class DeadLetterTopic implements AutoCloseable {
  /** The one that writes all records without a life. */
  public static final Life LIFE = new Life(7);

  private static final AtomicInteger WRITERS = new AtomicInteger();

  private final String topic;
  private final String transactionalId = "records-" + WRITERS.incrementAndGet();
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private long originOffset;

  public DeadLetterTopic(String bootstrapServers, String topic) {
    this.topic = topic;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "transactional.id", transactionalId),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
  }

  /** A dead letter of a batch; those that are refused whole keep boot id and sequence. */
  public DeadLetterTopic dead(int partition, RejectReason reason, ReadingBatch batch) {
    return record(partition, headers(partition, reason, batch), batch.toByteArray());
  }

  /** A late one. */
  public DeadLetterTopic late(int partition, ReadingBatch batch) {
    Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", partition, originOffset++));
    DeadLetterHeaders.addBatch(headers, batch.getGatewayId(), 0, 0);
    return record(partition, headers, batch.toByteArray());
  }

  /** A record with headers of the test's own. */
  public DeadLetterTopic record(int partition, Headers headers, byte[] value) {
    if (headers.lastHeader(DeadLetterHeaders.LIFE) == null) {
      headers.add(LIFE.header());
    }
    producer.send(new ProducerRecord<>(topic, partition, null, null, value, headers));
    return this;
  }

  /** In every partition that life runs, from the first offset on. */
  public static Map<Integer, RunningLife> lives() {
    RunningLife life = new RunningLife(LIFE, Uuid.ZERO_UUID, UnreadOffsets.before(0));
    return IntStream.range(0, SensorPartition.COUNT)
        .boxed()
        .collect(Collectors.toMap(partition -> partition, partition -> life));
  }

  /** The same, as an application commits it that has applied nothing. */
  public static void commitLives(Admin admin, String applicationId, String readings)
      throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    lives()
        .forEach(
            (partition, life) ->
                offsets.put(
                    new TopicPartition(readings, partition),
                    new OffsetAndMetadata(0, ";life=" + life + ";applied=0")));
    admin.alterConsumerGroupOffsets(applicationId, offsets).all().get();
  }

  Headers headers(int partition, RejectReason reason, ReadingBatch batch) {
    Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", partition, originOffset++));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason.name());
    if (reason.scope() != RejectReason.Scope.RECORD) {
      DeadLetterHeaders.addBatch(
          headers, batch.getGatewayId(), batch.getBootId(), batch.getSequence());
    }
    return headers;
  }

  /** Returns when readers of committed records see what was written so far; another one begins. */
  public DeadLetterTopic commit() {
    producer.commitTransaction();
    Commits.awaitCompleted(admin, transactionalId);
    producer.beginTransaction();
    return this;
  }

  /** Takes back what was written since the last commit. */
  DeadLetterTopic abort() {
    producer.flush();
    producer.abortTransaction();
    producer.beginTransaction();
    return this;
  }

  public static ReadingBatch batch(String gateway, Reading... readings) {
    return ReadingBatch.newBuilder()
        .setGatewayId(gateway)
        .addAllReadings(java.util.List.of(readings))
        .build();
  }

  public static Reading reading(String sensor, long timestampMs, double value) {
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(timestampMs)
        .setValue(value)
        .build();
  }

  @Override
  public void close() {
    producer.abortTransaction();
    producer.close();
    admin.close();
  }
}

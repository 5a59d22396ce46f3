package io.weir.redrive;

import io.weir.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.registry.ValueFormat;
import io.weir.signing.BatchSigner;
import io.weir.signing.MasterKey;
import io.weir.topic.TopicNames;
import io.weir.v1.RedriveMark;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Headers;

/**
 * Batches on their way to the readings, and the marks of their records, in one transaction: either
 * both are there or neither. Another sender for the same records puts an end to this one. One
 * thread.
 */
final class RedriveSender implements AutoCloseable {
  /**
   * Readers of the partitions written to wait for the end of a transaction: one whose process was
   * killed is ended by the broker after this time.
   */
  private static final int TRANSACTION_TIMEOUT_MS = 10_000;

  private final Producer<byte[], byte[]> producer;
  private final RedriveRequest request;
  private final String marksTopic;
  private final RedrivenOffsets marks;
  private final ValueFormat.Writer values;
  private final Optional<BatchSigner> signer;
  private final int markPartitions;
  private final Map<Integer, TreeSet<Long>> records = new TreeMap<>();
  private final Map<Integer, Set<Long>> batchIds = new HashMap<>();

  /**
   * @param producer that has initialised its transactions
   * @param markPartitions partitions of the topic of marks
   * @param master that what is sent is signed with
   */
  RedriveSender(
      Producer<byte[], byte[]> producer,
      RedriveRequest request,
      int markPartitions,
      RedrivenOffsets marks,
      ValueFormat.Writer values,
      Optional<MasterKey> master) {
    this.signer = master.map(own -> BatchSigner.ofRedrive(request.readings(), own));
    this.producer = producer;
    this.request = request;
    this.marksTopic = TopicNames.redriven(request.records());
    this.marks = marks;
    this.values = values;
    this.markPartitions = markPartitions;
  }

  /** One for a topic, so that a second redrive of it puts an end to the first. */
  static String transactionalId(String records) {
    return "weir-redrive-" + records;
  }

  /** What a producer needs over what a shop sets. */
  static Map<String, Object> producerSettings(
      Map<String, Object> base, String records, int maxMessageBytes) {
    Map<String, Object> settings = new HashMap<>(base);
    settings.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
    settings.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(records));
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // With more, a first batch that meets a leader which is not up yet is lost behind the second.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxMessageBytes);
    return settings;
  }

  void send(RedriveRecord record, Resend parts) {
    if (records.isEmpty()) {
      producer.beginTransaction();
    }
    records.computeIfAbsent(record.partition(), p -> new TreeSet<>()).add(record.offset());
    if (parts.batchId() != 0) {
      batchIds.computeIfAbsent(record.partition(), p -> new HashSet<>()).add(parts.batchId());
    }
    for (Resend.Batch batch : parts.batches()) {
      boolean withheld = record.reason().filter(r -> r == RejectReason.WITHHELD).isPresent();
      Headers headers = DeadLetterHeaders.ofRedrive(record.place(), withheld);
      byte[] value = values.write(batch.value(), headers);
      signer.ifPresent(own -> own.sign(batch.partition(), value, headers));
      producer.send(
          new ProducerRecord<>(
              request.readings(), batch.partition(), null, parts.key(), value, headers));
    }
  }

  /** Makes what was sent since the last time true, if there is anything. */
  void commit() {
    if (records.isEmpty()) {
      return;
    }
    records.forEach(
        (partition, offsets) -> {
          RedriveMark mark =
              marks.mark(partition, offsets, batchIds.getOrDefault(partition, Set.of()));
          marks.add(mark);
          producer.send(
              new ProducerRecord<>(
                  marksTopic, partition % markPartitions, null, mark.toByteArray()));
        });
    try {
      producer.commitTransaction();
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      throw new KafkaException(
          "another redrive of "
              + request.records()
              + " has begun, or the cluster took too long; what this one has committed stays,"
              + " run it again for the rest");
    }
    records.clear();
    batchIds.clear();
  }

  /** Takes back what was not committed. */
  @Override
  public void close() {
    if (!records.isEmpty()) {
      try {
        producer.abortTransaction();
      } catch (KafkaException e) {
        // The broker takes it back when its time is up.
      }
    }
    producer.close();
  }
}

package io.weir.internal.redrive;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.registry.ValueFormat;
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
 * Sends batches and the marks of their records atomically in one transaction. Another sender for
 * the same records fences this one. One thread.
 */
final class RedriveSender implements AutoCloseable {
  /**
   * Transaction timeout: after it the broker aborts the transaction of a killed process, for whose
   * end consumers wait.
   */
  private static final int TRANSACTION_TIMEOUT_MS = 10_000;

  private final Producer<byte[], byte[]> producer;
  private final RedriveRequest request;
  private final String marksTopic;
  private final RedrivenOffsets marks;
  private final Map<String, ValueFormat.Writer> values;
  private final Map<String, BatchSigner> signers = new TreeMap<>();
  private final int markPartitions;
  private final Map<Integer, TreeSet<Long>> records = new TreeMap<>();
  private final Map<Integer, Set<Long>> batchIds = new HashMap<>();

  /** Why the first batch of a transaction that failed was refused; set by the producer's thread. */
  private volatile Exception failed;

  /**
   * @param producer with initialised transactions
   * @param markPartitions number of partitions of the topic of marks
   * @param values the format of batches, by target topic
   * @param master master key of the signatures
   */
  RedriveSender(
      Producer<byte[], byte[]> producer,
      RedriveRequest request,
      int markPartitions,
      RedrivenOffsets marks,
      Map<String, ValueFormat.Writer> values,
      Optional<MasterKey> master) {
    this.producer = producer;
    this.request = request;
    this.marksTopic = TopicNames.redriven(request.records());
    this.marks = marks;
    this.values = values;
    this.markPartitions = markPartitions;
    master.ifPresent(
        key ->
            values
                .keySet()
                .forEach(topic -> signers.put(topic, BatchSigner.ofRedrive(topic, key))));
  }

  /** One id for each topic, so that a second redrive of it fences the first. */
  static String transactionalId(String records) {
    return "weir-redrive-" + records;
  }

  /** The producer's settings: those of the user, and the required ones. */
  static Map<String, Object> producerSettings(
      Map<String, Object> base, String records, int maxMessageBytes) {
    Map<String, Object> settings = new HashMap<>(base);
    settings.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
    settings.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(records));
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // With more requests in flight, the first batch can be lost if the leader is not ready, and the
    // second succeed.
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
    String topic = request.target(record);
    BatchSigner signer = signers.get(topic);
    for (Resend.Batch batch : parts.batches()) {
      Headers headers =
          request.isOfEvents()
              ? DeadLetterHeaders.ofRedrive(record.place(), record.application().orElse(""))
              : DeadLetterHeaders.ofRedrive(record.place(), record.isWithheld());
      byte[] value = values.get(topic).write(batch.value(), headers);
      if (signer != null) {
        signer.sign(batch.partition(), value, headers);
      }
      producer.send(
          new ProducerRecord<>(topic, batch.partition(), null, parts.key(), value, headers),
          (sent, failure) -> failed = failed == null ? failure : failed);
    }
  }

  /** Whether batches were sent since the last commit. */
  boolean isSending() {
    return !records.isEmpty();
  }

  /**
   * Waits until they are on their topics.
   *
   * @throws KafkaException if one was refused
   */
  void flush() {
    producer.flush();
    if (failed instanceof KafkaException refusal) {
      orFenced(
          () -> {
            throw refusal;
          });
    }
  }

  private void orFenced(Runnable step) {
    try {
      step.run();
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      throw new KafkaException(
          "another redrive of "
              + request.records()
              + " has started, or Kafka was too slow; committed batches stay,"
              + " run it again for the rest");
    }
  }

  /** Aborts them. */
  void abort() {
    producer.abortTransaction();
    records.clear();
    batchIds.clear();
    failed = null;
  }

  /** Commits the batches that were sent since the last commit, if any. */
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
    orFenced(producer::commitTransaction);
    records.clear();
    batchIds.clear();
  }

  /** Aborts an open transaction. */
  @Override
  public void close() {
    if (!records.isEmpty()) {
      try {
        producer.abortTransaction();
      } catch (KafkaException e) {
        // The broker aborts it after its timeout.
      }
    }
    producer.close();
  }
}

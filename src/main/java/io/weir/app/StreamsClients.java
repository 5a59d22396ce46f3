package io.weir.app;

import io.weir.fetch.BoundedFetches;
import io.weir.fetch.PollBudget;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka's ordinary clients for Streams, but for the consumer of the readings and the producer.
 *
 * <p>The consumer stops at a record that does not carry its append time. Streams 4.3.1 tells a
 * timestamp extractor that every record has a create time (RecordDeserializer), whatever the broker
 * said: only the consumer knows. It takes no more at once than memory can hold, however small it
 * was compressed: see {@link BoundedFetches} and {@link PollBudget}.
 *
 * <p>It leaves the group when its thread has died and is replaced. Streams 4.3.1 lets it stay
 * (KafkaStreams.replaceStreamThread), and gives the new thread another name: the partitions would
 * wait for the dead one until its session is over.
 *
 * <p>The producer ends with a transaction that is aborted. Streams 4.3.1 aborts the transaction of
 * all tasks of a thread when it gives up one of them (RecordCollectorImpl.closeDirty), and lets the
 * others go on where they cannot be committed before, as during a rebalance: what they wrote is
 * gone, what they keep is not. Fenced at the next transaction, the thread lets go of all its tasks,
 * and takes them up from their last commit.
 */
final class StreamsClients implements KafkaClientSupplier {
  /** Of records that a poll hands over: as much as a thread has to hold at once. */
  private static final long POLLED_BYTES = 32 << 20;

  private final BooleanSupplier threadIsReplaced;
  private final int maxBatchBytes;
  private final int maxRecordBytes;

  /**
   * @param threadIsReplaced whether the calling thread has died and another takes its place
   * @param maxBatchBytes largest batch of records that is decompressed
   * @param maxRecordBytes largest record that is decompressed
   */
  StreamsClients(BooleanSupplier threadIsReplaced, int maxBatchBytes, int maxRecordBytes) {
    this.threadIsReplaced = threadIsReplaced;
    this.maxBatchBytes = maxBatchBytes;
    this.maxRecordBytes = maxRecordBytes;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new ThreadProducer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    PollBudget budget = new PollBudget(POLLED_BYTES);
    ReadingsConsumer consumer = new ReadingsConsumer(config, budget, threadIsReplaced);
    BoundedFetches.limit(consumer, maxBatchBytes, maxRecordBytes);
    return consumer;
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return plainConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return plainConsumer(config);
  }

  private static Consumer<byte[], byte[]> plainConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static final class ThreadProducer extends KafkaProducer<byte[], byte[]> {
    private boolean aborted;

    ThreadProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void abortTransaction() {
      aborted = true;
      super.abortTransaction();
    }

    @Override
    public void beginTransaction() {
      if (aborted) {
        throw new ProducerFencedException(
            "a transaction of this thread was aborted: its tasks go back to their last commit");
      }
      super.beginTransaction();
    }
  }

  private static final class ReadingsConsumer extends KafkaConsumer<byte[], byte[]> {
    private final PollBudget budget;
    private final BooleanSupplier threadIsReplaced;

    ReadingsConsumer(
        Map<String, Object> config, PollBudget budget, BooleanSupplier threadIsReplaced) {
      super(config, budget.keys(), budget.values());
      this.budget = budget;
      this.threadIsReplaced = threadIsReplaced;
    }

    @Override
    public void close(CloseOptions options) {
      super.close(
          threadIsReplaced.getAsBoolean()
              ? options.withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
              : options);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      budget.begin();
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.timestampType() != TimestampType.LOG_APPEND_TIME) {
          throw new NotAppendTimeException(record);
        }
      }
      return records;
    }
  }
}

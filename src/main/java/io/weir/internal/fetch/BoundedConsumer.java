package io.weir.internal.fetch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * A consumer of bytes whose memory does not depend on the content of the topic: a poll returns at
 * most {@value #POLL_BYTES} bytes and one record, and a batch with a record beyond a limit is
 * replaced by an {@link OversizedBatch} marker. Batches of any size are read, because records are
 * decompressed one by one.
 */
public final class BoundedConsumer extends KafkaConsumer<byte[], byte[]> {
  /** The default: four times the default of weir.max.record.bytes. */
  public static final int RECORD_BYTES = 4 << 20;

  private static final int POLL_BYTES = 4 << 20;

  /** Compressed, per broker; a larger single batch is fetched nevertheless. */
  private static final int FETCH_BYTES = 8 << 20;

  private final PollBudget budget;

  private BoundedConsumer(Map<String, Object> settings, PollBudget budget) {
    super(settings, budget.keys(), budget.values());
    this.budget = budget;
  }

  /**
   * Opens a consumer.
   *
   * @param settings of a consumer, without deserializers
   * @param maxRecordBytes largest record that is read, with its headers
   */
  public static BoundedConsumer open(Map<String, ?> settings, int maxRecordBytes) {
    Map<String, Object> all = new HashMap<>(settings);
    all.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    BoundedConsumer consumer = new BoundedConsumer(all, new PollBudget(POLL_BYTES));
    try {
      BoundedFetches.limitUnmerged(consumer, maxRecordBytes, consumer.budget);
      return consumer;
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  /**
   * Opens a consumer for records that this application has written, of any size.
   *
   * @param settings of a consumer, without deserializers
   */
  public static BoundedConsumer ofOwn(Map<String, Object> settings) {
    return new BoundedConsumer(settings, new PollBudget(POLL_BYTES));
  }

  /** The next polls return at most as many bytes, and one record. */
  public void limitPolls(long bytes) {
    budget.limit(Math.min(POLL_BYTES, bytes));
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    budget.begin();
    return super.poll(timeout);
  }
}

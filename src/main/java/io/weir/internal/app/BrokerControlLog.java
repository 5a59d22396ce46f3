package io.weir.internal.app;

import io.weir.internal.fetch.BoundedConsumer;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.wire.ControlOrder;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.ControlRecord;
import io.weir.v1.KeyDeletion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operators' orders from the control topic, all kept in memory: some 100 bytes each, and 8 for
 * each window that an accepted loss names.
 *
 * <p>A mark with an offset beyond the orders that were read has a newer order, or is forged. An
 * order is written before its marks, so reading the orders after the mark decides: the topic is
 * read at most once for each poll of a thread, however many forged marks it returned. Safe for many
 * threads; one reads while the others wait.
 */
public final class BrokerControlLog implements ControlLog, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerControlLog.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int TIMEOUT_MS = 20_000;

  private final TopicPartition partition;
  private final String readings;
  private final Uuid topicId;
  private final LongSupplier nanoTime;
  private final Consumer<byte[], byte[]> consumer;
  private final ThreadLocal<Long> polledNanos = new ThreadLocal<>();
  private final Map<ResetMark, ControlRecord> orders = new HashMap<>();
  private long end;
  private long readNanos;

  /**
   * @param topicId the current id of the topic
   * @param readings the topic with the marks
   * @param nanoTime a monotonic clock
   */
  BrokerControlLog(
      TopicPartition partition,
      Uuid topicId,
      String readings,
      LongSupplier nanoTime,
      Consumer<byte[], byte[]> consumer) {
    this.partition = partition;
    this.topicId = topicId;
    this.readings = readings;
    this.nanoTime = nanoTime;
    this.consumer = consumer;
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
  }

  /**
   * Reads the topic up to its current end.
   *
   * @throws org.apache.kafka.common.errors.AuthorizationException without the right to read it
   */
  public static BrokerControlLog open(WeirConfig config, Uuid topicId) {
    return open(config, topicId, config.topics().readings());
  }

  /**
   * The same, for orders with marks on another topic.
   *
   * @param marked the topic with the marks
   */
  public static BrokerControlLog open(WeirConfig config, Uuid topicId, String marked) {
    Map<String, Object> client = config.kafka().forConsumer();
    client.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    client.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    client.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    client.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    client.remove(ConsumerConfig.GROUP_ID_CONFIG);
    client.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    BrokerControlLog log =
        new BrokerControlLog(
            new TopicPartition(config.topics().control(), 0),
            topicId,
            marked,
            System::nanoTime,
            BoundedConsumer.open(client, config.maxDecompressedRecordBytes()));
    try {
      log.readToEnd();
      return log;
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /** The calling thread has polled; its next queries are about these records. */
  public void polled() {
    polledNanos.set(nanoTime.getAsLong());
  }

  @Override
  public Uuid topicId() {
    return topicId;
  }

  @Override
  public Optional<String> gatewayToReset(ResetMark mark) {
    return order(mark)
        .filter(ControlRecord::hasGatewayReset)
        .map(order -> order.getGatewayReset().getGatewayId());
  }

  @Override
  public Optional<AcceptedLoss> acceptedLoss(ResetMark mark) {
    return order(mark).filter(ControlRecord::hasAcceptedLoss).map(ControlRecord::getAcceptedLoss);
  }

  @Override
  public Optional<KeyDeletion> keyToDelete(ResetMark mark) {
    return order(mark).filter(ControlRecord::hasKeyDeletion).map(ControlRecord::getKeyDeletion);
  }

  private synchronized Optional<ControlRecord> order(ResetMark mark) {
    if (mark.offset() >= end && !wasReadSincePoll()) {
      readToEnd();
    }
    return Optional.ofNullable(orders.get(mark));
  }

  private boolean wasReadSincePoll() {
    Long polled = polledNanos.get();
    return polled != null && readNanos - polled > 0;
  }

  private void readToEnd() {
    long began = nanoTime.getAsLong();
    long newEnd = consumer.endOffsets(List.of(partition)).get(partition);
    while (consumer.position(partition) < newEnd) {
      consumer.poll(POLL).forEach(this::keep);
    }
    end = Math.max(end, consumer.position(partition));
    readNanos = began;
  }

  private void keep(ConsumerRecord<byte[], byte[]> record) {
    try {
      ControlRecord order = ControlOrder.of(record.value());
      if (order.getReadingsTopic().equals(readings)
          && order.getNonce().size() == ResetMark.NONCE_BYTES) {
        orders.put(ResetMark.of(record.offset(), order.getNonce()), order);
      }
    } catch (UndecodableException e) {
      LOG.warn("{} offset {} is not an order: {}", partition, record.offset(), e.getMessage());
    }
  }

  @Override
  public synchronized void close() {
    consumer.close();
  }
}

package io.weir.internal.explain;

import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.ControlOrder;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.KafkaFutures;
import io.weir.topic.Topic;
import io.weir.v1.ControlRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;

/** The topics on a cluster. One thread; close it. */
public final class TopicLog implements PartitionLog, AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long STUCK_MS = 15_000;

  private final ExplainSettings settings;
  private final String group;
  private final Admin admin;
  private final Supplier<? extends Consumer<byte[], byte[]>> consumers;
  private final Consumer<byte[], byte[]> consumer;

  /** Orders of operators by their marks; null until one is asked for. */
  private Map<ResetMark, String> orders;

  /**
   * @param group the application id
   * @param admin stays open
   * @param consumers opens one that reads committed records, without a group
   */
  public TopicLog(
      ExplainSettings settings,
      String group,
      Admin admin,
      Supplier<? extends Consumer<byte[], byte[]>> consumers) {
    this.settings = settings;
    this.group = group;
    this.admin = admin;
    this.consumers = consumers;
    this.consumer = consumers.get();
  }

  @Override
  public OptionalLong committed(int partition) {
    TopicPartition readings = new TopicPartition(settings.names().apply(Topic.READINGS), partition);
    try {
      OffsetAndMetadata offset =
          KafkaFutures.await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
              .get(readings);
      return offset == null ? OptionalLong.empty() : OptionalLong.of(offset.offset());
    } catch (GroupAuthorizationException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public Scan read(
      Topic topic, int partition, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> each) {
    return read(
        consumer,
        new TopicPartition(settings.names().apply(topic), partition),
        Math.max(0, sinceMs),
        each);
  }

  private Scan read(
      Consumer<byte[], byte[]> reader,
      TopicPartition partition,
      long sinceMs,
      Predicate<ConsumerRecord<byte[], byte[]>> each) {
    if (reader.partitionsFor(partition.topic()).size() <= partition.partition()) {
      return Scan.NOTHING;
    }
    reader.assign(List.of(partition));
    long begin = reader.beginningOffsets(List.of(partition)).get(partition);
    long end = end(partition);
    OffsetAndTimestamp first = reader.offsetsForTimes(Map.of(partition, sinceMs)).get(partition);
    long from = first == null ? end : first.offset();
    boolean deleted = begin > 0 && from <= begin;
    OptionalLong beginsMs =
        deleted
            ? OptionalLong.of(first == null ? System.currentTimeMillis() : first.timestamp())
            : OptionalLong.empty();
    reader.seek(partition, from);
    long records = 0;
    long bytes = 0;
    long movedMs = MonotonicClock.millis();
    long position = from;
    while (position < end) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
        if (record.offset() < end) {
          records++;
          bytes +=
              Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
          if (!each.test(record)) {
            return new Scan(from, records, bytes, beginsMs, true);
          }
        }
      }
      long now = reader.position(partition);
      if (now > position) {
        movedMs = MonotonicClock.millis();
      } else if (MonotonicClock.millis() - movedMs > STUCK_MS) {
        return new Scan(from, records, bytes, beginsMs, false);
      }
      position = now;
    }
    return new Scan(from, records, bytes, beginsMs, true);
  }

  /** The end with open transactions, so that what they hide is waited for. */
  private long end(TopicPartition partition) {
    return KafkaFutures.await(
            admin
                .listOffsets(
                    Map.of(partition, OffsetSpec.latest()),
                    new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .partitionResult(partition))
        .offset();
  }

  @Override
  public Optional<String> gatewayToReset(ResetMark mark) {
    if (orders == null) {
      orders = new HashMap<>();
      try (Consumer<byte[], byte[]> reader = consumers.get()) {
        read(
            reader,
            new TopicPartition(settings.names().apply(Topic.CONTROL), 0),
            0,
            record -> {
              order(record);
              return true;
            });
      }
    }
    return Optional.ofNullable(orders.get(mark));
  }

  private void order(ConsumerRecord<byte[], byte[]> record) {
    try {
      ControlRecord order = ControlOrder.of(record.value());
      if (order.hasGatewayReset()
          && order.getReadingsTopic().equals(settings.names().apply(Topic.READINGS))
          && order.getNonce().size() == ResetMark.NONCE_BYTES) {
        orders.put(
            ResetMark.of(record.offset(), order.getNonce()),
            order.getGatewayReset().getGatewayId());
      }
    } catch (UndecodableException e) {
      // No order; the application reports it.
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}

package io.weir.internal.redrive;

import io.weir.internal.wire.ControlOrder;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.ControlRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The gateways that were reset, each with the time of its last reset, before which its batches are
 * forgotten.
 */
final class ResetGateways {
  /** Append times may go back by an hour, so a mark's may be before its command's. */
  private static final long CLOCKS_MS = 2 * 60 * 60 * 1000L;

  private final Map<String, Long> lastMs = new HashMap<>();
  private final long maxFutureSkewMs;

  /**
   * @param maxFutureSkewMs how far a boot's clock may be ahead of its append times
   */
  ResetGateways(long maxFutureSkewMs) {
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /**
   * Reads the commands for a topic of readings.
   *
   * @return the offset after the last command
   */
  long read(Consumer<byte[], byte[]> reader, String control, String readings) {
    TopicPartition partition = new TopicPartition(control, 0);
    TopicScan orders = new TopicScan(reader, List.of(partition), 0);
    while (!orders.isDone()) {
      for (ConsumerRecord<byte[], byte[]> record : orders.next()) {
        process(record, readings);
      }
    }
    return orders.end(partition);
  }

  private void process(ConsumerRecord<byte[], byte[]> record, String readings) {
    try {
      ControlRecord order = ControlOrder.of(record.value());
      if (order.hasGatewayReset() && order.getReadingsTopic().equals(readings)) {
        lastMs.merge(order.getGatewayReset().getGatewayId(), record.timestamp(), Math::max);
      }
    } catch (UndecodableException e) {
      // Not a command; the application reports it.
    }
  }

  boolean isEmpty() {
    return lastMs.isEmpty();
  }

  /** Whether the application may have forgotten that it accepted a batch. */
  boolean mayHaveForgotten(BatchName batch) {
    Long resetMs = lastMs.get(batch.gatewayId());
    return resetMs != null && batch.earliestMs() - maxFutureSkewMs <= resetMs + CLOCKS_MS;
  }
}

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

  private final Map<String, Order> last = new HashMap<>();

  /** An order, by its offset on the control topic. */
  record Order(long offset, long appendMs) {
    private Order later(Order other) {
      return new Order(Math.max(offset, other.offset), Math.max(appendMs, other.appendMs));
    }
  }

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
        last.merge(
            order.getGatewayReset().getGatewayId(),
            new Order(record.offset(), record.timestamp()),
            Order::later);
      }
    } catch (UndecodableException e) {
      // Not a command; the application reports it.
    }
  }

  boolean isEmpty() {
    return last.isEmpty();
  }

  /** The newest order to reset a gateway that was reset. */
  Order last(String gatewayId) {
    return last.get(gatewayId);
  }

  /** Whether the application may have forgotten that it accepted a batch. */
  boolean mayHaveForgotten(BatchName batch) {
    Order reset = last.get(batch.gatewayId());
    return reset != null && batch.earliestMs() - maxFutureSkewMs <= reset.appendMs() + CLOCKS_MS;
  }
}

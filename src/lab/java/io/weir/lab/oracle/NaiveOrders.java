package io.weir.lab.oracle;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.AcceptedLoss;
import io.weir.v1.ControlRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the operators ordered, by the records of the control topic. */
public final class NaiveOrders {
  private static final int OFFSET_BYTES = 8;

  private final Map<Long, ControlRecord> byOffset = new HashMap<>();

  /** An order to reset a gateway. */
  public record Reset(long offset, String gatewayId) {}

  /** Of nobody. */
  public static NaiveOrders none() {
    return new NaiveOrders();
  }

  /** The orders of a topic's records. */
  public static NaiveOrders of(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    NaiveOrders orders = new NaiveOrders();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        orders.byOffset.put(record.offset(), ControlRecord.parseFrom(record.value()));
      } catch (InvalidProtocolBufferException e) {
        // No order, then.
      }
    }
    return orders;
  }

  /** Whether a record of the readings claims to be the mark of an order. */
  public static boolean isMark(ConsumerRecord<byte[], byte[]> record) {
    return record.value() != null
        && record.value().length == 0
        && record.headers().lastHeader("weir.control") != null;
  }

  /** The order to reset a gateway whose mark a record is; empty where it is forged. */
  public Optional<Reset> resetAt(ConsumerRecord<byte[], byte[]> mark) {
    return orderAt(mark)
        .filter(order -> order.getValue().hasGatewayReset())
        .map(o -> new Reset(o.getKey(), o.getValue().getGatewayReset().getGatewayId()));
  }

  /** The loss that is accepted by the order whose mark a record is; empty where it is forged. */
  public Optional<AcceptedLoss> lossAt(ConsumerRecord<byte[], byte[]> mark) {
    return orderAt(mark)
        .map(Map.Entry::getValue)
        .filter(ControlRecord::hasAcceptedLoss)
        .map(ControlRecord::getAcceptedLoss);
  }

  private Optional<Map.Entry<Long, ControlRecord>> orderAt(ConsumerRecord<byte[], byte[]> mark) {
    byte[] header = mark.headers().lastHeader("weir.control").value();
    if (header == null || header.length < OFFSET_BYTES) {
      return Optional.empty();
    }
    long offset = ByteBuffer.wrap(header).getLong();
    byte[] nonce = Arrays.copyOfRange(header, OFFSET_BYTES, header.length);
    ControlRecord order = byOffset.get(offset);
    boolean ordered =
        order != null
            && nonce.length == 16
            && Arrays.equals(order.getNonce().toByteArray(), nonce)
            && order.getReadingsTopic().equals(mark.topic());
    return ordered ? Optional.of(Map.entry(offset, order)) : Optional.empty();
  }
}

package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;

/**
 * Which of the operators' orders was carried out last for each gateway, as entries of the
 * changelog. Orders come as marks on the partition, and a copy of a mark is no second order. Two
 * operators' marks need not lie in the order of their orders: those for different gateways have
 * nothing to do with each other. The orders that delete keys of handlers are kept the same way, by
 * key.
 *
 * <pre>
 * order   format | offset of the order, a varint | id of its topic, 16 bytes
 * </pre>
 */
final class OrderEntries {
  private static final int MOST_BYTES = 32;

  private record Order(Uuid topicId, long offset) {}

  private final Map<String, Order> lastByGateway = new HashMap<>();
  private final TreeSet<String> unwritten = new TreeSet<>();

  /**
   * Whether an order for a gateway is to be carried out; it counts as carried out from then on.
   *
   * @param order its offset
   * @param ofTopic the topic that it is on
   */
  boolean accept(String gatewayId, Uuid ofTopic, long order) {
    Order last = lastByGateway.get(gatewayId);
    if (last != null && last.topicId().equals(ofTopic) && order <= last.offset()) {
      return false;
    }
    lastByGateway.put(gatewayId, new Order(ofTopic, order));
    unwritten.add(gatewayId);
    return true;
  }

  /** The offset of the order that was carried out last for a gateway, after one was not. */
  long last(String gatewayId) {
    return lastByGateway.get(gatewayId).offset();
  }

  /** Writes those that changed since they were last written. */
  void flush(ChangeLog log) throws IOException {
    for (String gatewayId : unwritten) {
      log.put(StateKey.control(gatewayId), encode(lastByGateway.get(gatewayId)));
    }
    unwritten.clear();
  }

  private static byte[] encode(Order order) throws IOException {
    byte[] buffer = new byte[MOST_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt64NoTag(order.offset());
    out.writeFixed64NoTag(order.topicId().getMostSignificantBits());
    out.writeFixed64NoTag(order.topicId().getLeastSignificantBits());
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  void restore(byte[] key, byte[] value) throws IOException {
    if (value == null) {
      lastByGateway.remove(StateKey.gatewayId(key));
      return;
    }
    CodedInputStream in = StateFormat.read(value);
    long offset = in.readUInt64();
    lastByGateway.put(
        StateKey.gatewayId(key), new Order(new Uuid(in.readFixed64(), in.readFixed64()), offset));
  }

  void clear() {
    lastByGateway.clear();
    unwritten.clear();
  }
}

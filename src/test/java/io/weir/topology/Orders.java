package io.weir.topology;

import io.weir.wire.ResetMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** A control topic in memory: an order's offset is its number. */
final class Orders implements ControlLog {
  private static final Uuid TOPIC = new Uuid(1, 2);

  private final List<String> gateways = new ArrayList<>();

  /** Orders that a gateway be reset; returns the order's number. */
  int reset(String gatewayId) {
    gateways.add(gatewayId);
    return gateways.size() - 1;
  }

  int size() {
    return gateways.size();
  }

  String gateway(int order) {
    return gateways.get(order);
  }

  /** With a nonce of its own for each order. */
  ResetMark mark(int order) {
    return new ResetMark(order, 0x5eed, ~order);
  }

  @Override
  public Uuid topicId() {
    return TOPIC;
  }

  @Override
  public Optional<String> gatewayToReset(ResetMark mark) {
    boolean there = mark.offset() >= 0 && mark.offset() < gateways.size();
    return there && mark((int) mark.offset()).equals(mark)
        ? Optional.of(gateways.get((int) mark.offset()))
        : Optional.empty();
  }
}

package io.weir.internal.topology;

import io.weir.internal.deadletter.Gap;
import io.weir.internal.wire.LeftWindows;
import io.weir.internal.wire.ResetMark;
import io.weir.v1.AcceptedLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** A control topic in memory: an order's offset is its number. */
final class Orders implements ControlLog {
  private static final Uuid TOPIC = new Uuid(1, 2);

  /** Offsets of the other orders begin here. */
  private static final int LOSSES = 1_000_000;

  private final List<String> gateways = new ArrayList<>();
  private final List<AcceptedLoss> losses = new ArrayList<>();

  /** Orders that an application goes on without the records of a gap; returns the mark. */
  ResetMark acceptLoss(String applicationId, Gap gap) {
    return acceptLoss(applicationId, gap, new LeftWindows());
  }

  /** The same; some windows are not emitted. */
  ResetMark acceptLoss(String applicationId, Gap gap, LeftWindows left) {
    AcceptedLoss.Builder loss =
        AcceptedLoss.newBuilder()
            .setApplicationId(applicationId)
            .setLife(gap.life().id())
            .setStateEnd(gap.from())
            .setNextOffset(gap.to());
    left.writeTo(loss);
    losses.add(loss.build());
    return mark(LOSSES + losses.size() - 1);
  }

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
  public Optional<AcceptedLoss> acceptedLoss(ResetMark mark) {
    long index = mark.offset() - LOSSES;
    return index >= 0 && index < losses.size() && mark((int) mark.offset()).equals(mark)
        ? Optional.of(losses.get((int) index))
        : Optional.empty();
  }

  @Override
  public Optional<String> gatewayToReset(ResetMark mark) {
    boolean there = mark.offset() >= 0 && mark.offset() < gateways.size();
    return there && mark((int) mark.offset()).equals(mark)
        ? Optional.of(gateways.get((int) mark.offset()))
        : Optional.empty();
  }
}

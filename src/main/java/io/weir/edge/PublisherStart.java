package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The boot id and sequences at which a publisher begins, and the batches that it sends first. */
public final class PublisherStart {
  private final Optional<PublisherState> kept;
  private final boolean sameBoot;
  private final AtomicBoolean used = new AtomicBoolean();

  private PublisherStart(Optional<PublisherState> kept, boolean sameBoot) {
    this.kept = kept;
    this.sameBoot = sameBoot;
  }

  static PublisherStart fresh() {
    return new PublisherStart(Optional.empty(), false);
  }

  static PublisherStart resuming(PublisherState state) {
    return new PublisherStart(Optional.of(state), true);
  }

  static PublisherStart after(PublisherState state) {
    return new PublisherStart(Optional.of(state), false);
  }

  boolean isFresh() {
    return kept.isEmpty();
  }

  void requireOf(String gatewayId) {
    kept.ifPresent(
        state ->
            SettingChecks.requireThat(
                state.gatewayId().equals(gatewayId),
                "the state's gatewayId",
                state.gatewayId(),
                "the publisher's own, '" + gatewayId + "'"));
  }

  /**
   * Marks the state as used: a second start from it would reuse its sequences for other readings.
   *
   * @throws IllegalStateException if a publisher was started with it before
   */
  void use() {
    if (kept.isPresent() && used.getAndSet(true)) {
      throw new IllegalStateException(
          "a publisher of gateway '"
              + kept.get().gatewayId()
              + "' was started from this state before; a state is good for one start: use keepIn,"
              + " or build settings with the state of the last close");
    }
  }

  long bootId(long wallClockMs, long random) {
    if (kept.isEmpty()) {
      return BootId.of(wallClockMs, random);
    }
    long keptBootId = kept.get().bootId();
    return sameBoot ? keptBootId : BootId.after(keptBootId, wallClockMs, random);
  }

  /** The last sequence assigned in each partition under the boot id. */
  List<Long> lastSequences() {
    return sameBoot
        ? kept.orElseThrow().lastSequences()
        : Collections.nCopies(SensorPartition.COUNT, 0L);
  }

  List<SequencedBatch> unacknowledged() {
    return kept.map(PublisherState::unacknowledged).orElse(List.of());
  }
}

package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;

/** The lanes of all partitions. */
final class Lanes {
  private final PartitionLane[] lanes = new PartitionLane[SensorPartition.COUNT];

  Lanes(LaneSettings settings, Ticker ticker) {
    for (int partition = 0; partition < lanes.length; partition++) {
      lanes[partition] = new PartitionLane(partition, settings, ticker);
    }
  }

  PartitionLane of(int partition) {
    return lanes[partition];
  }

  int count() {
    return lanes.length;
  }

  /** Takes no more readings; what was taken is due at once. */
  void close() {
    for (PartitionLane lane : lanes) {
      lane.close();
    }
  }

  void flush(FlushTicket ticket) {
    for (PartitionLane lane : lanes) {
      lane.flush(ticket);
    }
  }

  void rewind() {
    for (PartitionLane lane : lanes) {
      lane.rewind();
    }
  }

  void abandonFlushes() {
    for (PartitionLane lane : lanes) {
      lane.abandonFlushes();
    }
  }

  boolean areDone() {
    for (PartitionLane lane : lanes) {
      if (!lane.isDone()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Nanoseconds until a batch is due; {@link Long#MAX_VALUE} for none.
   *
   * @param all whether those count that have no room to go
   */
  long dueInNanos(long nowNanos, boolean all) {
    long soonest = Long.MAX_VALUE;
    for (PartitionLane lane : lanes) {
      if (all || lane.hasRoom()) {
        long dueIn = lane.dueInNanos(nowNanos);
        if (dueIn < Long.MAX_VALUE) {
          soonest = Math.min(soonest, Math.max(dueIn, lane.encoding().remainingNanos(nowNanos)));
        }
      }
    }
    return soonest;
  }

  /** For how long the batch that waits longest has had no answer; 0 where none is in flight. */
  long unansweredNanos(long nowNanos) {
    long longest = 0;
    for (PartitionLane lane : lanes) {
      longest = Math.max(longest, lane.unansweredNanos(nowNanos));
    }
    return longest;
  }

  /** Whether an open batch has waited for its time. */
  boolean isTickDue(long nowNanos) {
    for (PartitionLane lane : lanes) {
      if (lane.isTickDue(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Nanoseconds until a held batch may be tried again; {@link Long#MAX_VALUE} for none. */
  long retryInNanos(long nowNanos) {
    long soonest = Long.MAX_VALUE;
    for (PartitionLane lane : lanes) {
      soonest = Math.min(soonest, lane.hold().retryInNanos(nowNanos));
    }
    return soonest;
  }

  /** How many are held because their next batch is refused. For any thread. */
  int held() {
    int held = 0;
    for (PartitionLane lane : lanes) {
      held += lane.hold().isHeld() ? 1 : 0;
    }
    return held;
  }

  /** Readings ever accepted. */
  long accepted() {
    long accepted = 0;
    for (PartitionLane lane : lanes) {
      accepted += lane.accepted();
    }
    return accepted;
  }

  /** Of which the oldest reading was taken first that is not in flight. */
  PartitionLane withOldest(long nowNanos) {
    PartitionLane oldest = lanes[0];
    long longest = -1;
    for (PartitionLane lane : lanes) {
      long ageNanos = lane.droppableNanos(nowNanos);
      if (ageNanos > longest) {
        oldest = lane;
        longest = ageNanos;
      }
    }
    return oldest;
  }

  List<Long> lastSequences() {
    List<Long> lastSequences = new ArrayList<>();
    for (PartitionLane lane : lanes) {
      lastSequences.add(lane.lastSequence());
    }
    return lastSequences;
  }

  /** Sequenced and not acknowledged; in each partition in the order in which they go out. */
  List<Shipment> unacknowledged() {
    List<Shipment> shipments = new ArrayList<>();
    for (PartitionLane lane : lanes) {
      shipments.addAll(lane.unacknowledged());
    }
    return shipments;
  }
}

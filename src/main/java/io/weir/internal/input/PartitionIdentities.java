package io.weir.internal.input;

import io.weir.edge.Acknowledgement;
import io.weir.edge.Offer;
import io.weir.reading.Quality;
import io.weir.reading.Reading;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The identities of a partition's sensors, and how many of its readings are accepted and stored.
 * Offers happen under its lock, so that a reading and its repeat cannot both be new. Thread-safe.
 */
final class PartitionIdentities {
  /** What a duplicate waits for: that many stored readings of the partition. */
  private record Waiter(long position, Acknowledgement then) {}

  /** The sender of what an earlier start has stored. */
  private static final List<String> NOBODY = List.of();

  private final boolean on;
  private final boolean refusesCollisions;
  private final long maxBytes;
  private final SensorShares shares;
  private final IdentityCounts counts;
  private final Map<String, KnownSensor> sensors = new HashMap<>();
  private final Deque<KnownSensor> large = new ArrayDeque<>();
  private final Deque<Waiter> waiters = new ArrayDeque<>();
  private KnownSensor oldest;
  private KnownSensor newest;
  private long bytes;
  private long accepted;
  private long stored;

  PartitionIdentities(
      boolean on,
      boolean refusesCollisions,
      long maxBytes,
      SensorShares shares,
      IdentityCounts counts) {
    this.on = on;
    this.refusesCollisions = refusesCollisions;
    this.maxBytes = maxBytes;
    this.shares = shares;
    this.counts = counts;
  }

  /**
   * Offers a reading unless it was accepted before.
   *
   * @param senders of whose shares a new sensor is
   * @param acknowledgement called once if the reading is accepted, when it is on disk
   * @param first called once if the reading is a duplicate and this returns DUPLICATE: when its
   *     first copy is on disk
   */
  synchronized Outcome offer(
      List<String> senders,
      Sensor sensor,
      Reading reading,
      int nanosOfMs,
      ReadingSink sink,
      Acknowledgement acknowledgement,
      Acknowledgement first) {
    long nowNanos = System.nanoTime();
    long dayNanos = shares.dayNanos(nowNanos);
    KnownSensor found = sensors.get(sensor.id());
    if ((found == null || found.dayNanos != dayNanos)
        && !shares.admits(senders, sensor.id(), nowNanos)) {
      return Outcome.TOO_MANY_SENSORS;
    }
    KnownSensor known = known(sensor.id(), found);
    known.dayNanos = dayNanos;
    if (known.isOther(sensor.source())) {
      counts.collided(sensor.id(), known.firstCollision());
      if (refusesCollisions) {
        return Outcome.ID_COLLISION;
      }
    }
    long time = time(reading.timestampMs(), nanosOfMs, reading.quality());
    long value = valueOf(reading.value());
    if (on && known.has(time, value)) {
      whenStored(first);
      return Outcome.DUPLICATE;
    }
    Offer offer = sink.offer(reading, nanosOfMs, acknowledgement);
    if (offer == Offer.ACCEPTED) {
      accepted++;
      if (on) {
        remember(known, time, value);
      }
      return Outcome.ACCEPTED;
    }
    return notAccepted(offer);
  }

  /** Only what may be accepted later finds no room: a refusal that is read so blocks its input. */
  private static Outcome notAccepted(Offer offer) {
    return switch (offer) {
      case SUSPENDED, CLOSED -> Outcome.NOT_STORED;
      case REFUSED_MISSING_SENSOR_ID -> Outcome.MISSING_SENSOR_ID;
      case REFUSED_SENSOR_ID_TOO_LONG -> Outcome.SENSOR_ID_TOO_LONG;
      case REFUSED_SENSOR_ID_NOT_TEXT -> Outcome.SENSOR_ID_NOT_TEXT;
      case REFUSED_INVALID_VALUE -> Outcome.INVALID_VALUE;
      case REFUSED_INVALID_TIMESTAMP -> Outcome.INVALID_TIMESTAMP;
      case ACCEPTED, REFUSED_EVENT -> throw new IllegalArgumentException(offer.name());
    };
  }

  /** Remembers a reading that an earlier start stored. */
  synchronized void stored(
      String sensorId, long timestampMs, int nanosOfMs, double value, Quality quality) {
    shares.admits(NOBODY, sensorId, System.nanoTime());
    KnownSensor known = known(sensorId, sensors.get(sensorId));
    long time = time(timestampMs, nanosOfMs, quality);
    if (on && !known.has(time, valueOf(value))) {
      remember(known, time, valueOf(value));
    }
  }

  /** A reading of the partition is on disk. */
  void stored() {
    Acknowledgement reached = countStored();
    while (reached != null) {
      reached.acknowledged();
      reached = nextReached();
    }
  }

  private synchronized Acknowledgement countStored() {
    stored++;
    return nextReached();
  }

  private synchronized Acknowledgement nextReached() {
    Waiter first = waiters.peekFirst();
    return first == null || first.position() > stored ? null : waiters.removeFirst().then();
  }

  /** The first copy is among the readings that are accepted so far. */
  private void whenStored(Acknowledgement then) {
    if (stored == accepted) {
      then.acknowledged();
    } else {
      waiters.addLast(new Waiter(accepted, then));
    }
  }

  /**
   * The time with the quality. It is exact for 146 years; of two times that far apart with the same
   * value one would be a duplicate, and the application takes no time so far ahead.
   */
  private static long time(long ms, int nanosOfMs, Quality quality) {
    return (ms * 1_000_000 + nanosOfMs) << 2 | quality.number();
  }

  private static long valueOf(double value) {
    return Double.doubleToRawLongBits(value + 0.0);
  }

  private KnownSensor known(String id, KnownSensor found) {
    KnownSensor known = found;
    if (known == null) {
      known = new KnownSensor(id);
      sensors.put(id, known);
      bytes += known.bytes();
      link(known);
      evictFor(known);
    } else if (known != newest) {
      unlink(known);
      link(known);
    }
    return known;
  }

  private void remember(KnownSensor known, long time, long value) {
    if (known.isFull() && known.capacity() < KnownSensor.MOST) {
      grow(known);
    }
    if (known.isFull()) {
      counts.evictedIdentities(known.capacity() < KnownSensor.MOST ? 1 : 0);
    } else {
      counts.remembered(1);
    }
    known.add(time, value);
  }

  private void grow(KnownSensor known) {
    long more = (long) known.capacity() * KnownSensor.IDENTITY_BYTES;
    boolean fits = bytes + more <= maxBytes;
    if (!fits && known.capacity() >= KnownSensor.FEW) {
      return;
    }
    known.grow();
    bytes += more;
    if (known.capacity() == 2 * KnownSensor.FEW) {
      large.addLast(known);
    }
    evictFor(known);
  }

  /** Frees memory: sensors with many identities first, then the sensors silent for longest. */
  private void evictFor(KnownSensor kept) {
    while (bytes > maxBytes && !large.isEmpty()) {
      KnownSensor first = large.removeFirst();
      bytes -= first.bytes();
      int forgotten = first.shrink(KnownSensor.FEW);
      counts.forgot(forgotten);
      counts.evictedIdentities(forgotten);
      bytes += first.bytes();
    }
    while (bytes > maxBytes && oldest != kept) {
      KnownSensor silent = oldest;
      unlink(silent);
      sensors.remove(silent.id());
      bytes -= silent.bytes();
      counts.forgot(silent.count());
      counts.evictedSensor();
    }
  }

  private void link(KnownSensor known) {
    known.older = newest;
    known.newer = null;
    if (newest != null) {
      newest.newer = known;
    } else {
      oldest = known;
    }
    newest = known;
  }

  private void unlink(KnownSensor known) {
    if (known.older != null) {
      known.older.newer = known.newer;
    } else {
      oldest = known.newer;
    }
    if (known.newer != null) {
      known.newer.older = known.older;
    } else {
      newest = known.older;
    }
  }
}

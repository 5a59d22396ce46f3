package io.weir.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a batch has of each sensor and window, added up, so that a store is asked once for each. For
 * one thread.
 */
final class BatchParts implements BatchScan.Windows<BatchParts.Sensor> {
  private static final int FIRST_SLOTS = 1024;

  /** A sensor of the batch. */
  static final class Sensor {
    private final byte[] id;
    private final int hash;
    private Part newest;

    private Sensor(byte[] id, int hash) {
      this.id = id;
      this.hash = hash;
    }
  }

  /** What the batch has of a window. */
  static final class Part {
    final byte[] id;
    final long startMs;
    long count;
    double sum;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    private final Part older;

    private Part(byte[] id, long startMs, Part older) {
      this.id = id;
      this.startMs = startMs;
      this.older = older;
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private Sensor[] slots = new Sensor[FIRST_SLOTS];
  private int size;
  private long closedMs;
  private long newestMs;

  /**
   * Begins a batch.
   *
   * @param endsMs windows that end up to then are closed: their readings are late
   */
  void begin(long endsMs) {
    closedMs = endsMs;
    newestMs = Long.MIN_VALUE;
    parts.clear();
    if (size > 0) {
      Arrays.fill(slots, null);
      size = 0;
    }
  }

  /** In the order in which they began. */
  List<Part> parts() {
    return parts;
  }

  /** Time of the newest reading that was counted. */
  long newestMs() {
    return newestMs;
  }

  @Override
  public Sensor sensor(byte[] bytes, int from, int length) {
    int hash = BytesHash.of(bytes, from, length);
    int at = hash & slots.length - 1;
    while (slots[at] != null) {
      Sensor sensor = slots[at];
      if (sensor.hash == hash
          && Arrays.equals(sensor.id, 0, sensor.id.length, bytes, from, from + length)) {
        return sensor;
      }
      at = at + 1 & slots.length - 1;
    }
    Sensor sensor = new Sensor(Arrays.copyOfRange(bytes, from, from + length), hash);
    slots[at] = sensor;
    if (2 * ++size > slots.length) {
      grow();
    }
    return sensor;
  }

  private void grow() {
    Sensor[] old = slots;
    slots = new Sensor[2 * old.length];
    for (Sensor sensor : old) {
      if (sensor != null) {
        int at = sensor.hash & slots.length - 1;
        while (slots[at] != null) {
          at = at + 1 & slots.length - 1;
        }
        slots[at] = sensor;
      }
    }
  }

  @Override
  public boolean add(Sensor sensor, long ms, double value) {
    Part part = sensor.newest;
    while (part != null && (ms < part.startMs || ms >= part.startMs + PlainPass.WINDOW_MS)) {
      part = part.older;
    }
    if (part == null) {
      long startMs = ms - Math.floorMod(ms, PlainPass.WINDOW_MS);
      if (startMs + PlainPass.WINDOW_MS <= closedMs) {
        return false;
      }
      part = new Part(sensor.id, startMs, sensor.newest);
      sensor.newest = part;
      parts.add(part);
    }
    part.count++;
    part.sum += value;
    part.min = Math.min(part.min, value);
    part.max = Math.max(part.max, value);
    newestMs = Math.max(newestMs, ms);
    return true;
  }
}

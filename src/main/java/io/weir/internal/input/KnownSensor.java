package io.weir.internal.input;

/**
 * The newest identities of a sensor, by arrival. An identity is two numbers: the time in ns with
 * the quality in the lower two bits, and the bits of the value. Guarded by its {@link
 * PartitionIdentities}.
 */
final class KnownSensor {
  static final int MOST = 1_024;

  /** A sensor keeps these when memory is short. */
  static final int FEW = 32;

  static final int IDENTITY_BYTES = 2 * Long.BYTES;
  private static final int OBJECT_BYTES = 168;

  /** Neighbours in the order of the last arrival. */
  KnownSensor older;

  KnownSensor newer;

  /** The day in which {@link SensorShares} admitted it last. */
  long dayNanos;

  private final String id;
  private long source;
  private boolean collided;
  private long[] ring = new long[2];
  private int count;
  private int next;
  private long newestTime = Long.MIN_VALUE;

  /** Where the next repeat is expected: clients repeat in order. */
  private int expected;

  KnownSensor(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  int count() {
    return count;
  }

  int capacity() {
    return ring.length / 2;
  }

  /** Its memory. */
  int bytes() {
    return bytes(id.length(), capacity());
  }

  static int bytes(int idBytes, int capacity) {
    return OBJECT_BYTES + idBytes + capacity * IDENTITY_BYTES;
  }

  /** Whether a series of that hash is not the first of this id. */
  boolean isOther(long hash) {
    if (source == 0) {
      source = hash;
    }
    return hash != 0 && hash != source;
  }

  /** Whether this is its first collision. */
  boolean firstCollision() {
    boolean first = !collided;
    collided = true;
    return first;
  }

  boolean has(long time, long value) {
    if (count == 0 || time > newestTime) {
      return false;
    }
    if (expected < count && isAt(expected, time, value)) {
      expected++;
      return true;
    }
    for (int i = 0; i < count; i++) {
      if (isAt(i, time, value)) {
        expected = i + 1;
        return true;
      }
    }
    return false;
  }

  private boolean isAt(int index, long time, long value) {
    return ring[2 * index] == time && ring[2 * index + 1] == value;
  }

  /** Adds an identity in the place of the oldest if there is no other. */
  void add(long time, long value) {
    ring[2 * next] = time;
    ring[2 * next + 1] = value;
    next = (next + 1) % capacity();
    count = Math.min(count + 1, capacity());
    newestTime = Math.max(newestTime, time);
  }

  boolean isFull() {
    return count == capacity();
  }

  /** Doubles its capacity. */
  void grow() {
    keep(count, 2 * capacity());
  }

  /** Keeps the newest only; returns how many it forgot. */
  int shrink(int capacity) {
    int forgotten = Math.max(0, count - capacity);
    keep(count - forgotten, capacity);
    return forgotten;
  }

  private void keep(int kept, int capacity) {
    long[] other = new long[2 * capacity];
    int old = capacity();
    for (int i = 0; i < kept; i++) {
      int from = Math.floorMod(next - kept + i, old);
      other[2 * i] = ring[2 * from];
      other[2 * i + 1] = ring[2 * from + 1];
    }
    ring = other;
    count = kept;
    next = kept % capacity;
    expected = 0;
  }
}

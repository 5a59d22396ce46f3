package io.weir.internal.input.influx;

import io.weir.internal.input.BoundedPlaces;
import io.weir.internal.input.Sensor;
import java.util.Arrays;

/**
 * The sensors of series and fields seen lately, so that an id is made once. A fixed number of
 * places, each with the last that hashed to it. Thread-safe.
 */
final class SensorCache {
  private static final int PLACES = 1 << 18;
  private static final int MOST_KEY_BYTES = 1_024;

  private final BoundedPlaces<Entry> entries = new BoundedPlaces<>(PLACES, Entry::textBytes);

  /**
   * A field of a series.
   *
   * @param key the bytes of the series and, behind them, of the field
   */
  private record Entry(byte[] key, int seriesBytes, LineSource source, Sensor sensor) {
    int textBytes() {
      return key.length
          + 2 * (source.database().length() + source.retentionPolicy().length())
          + 2 * sensor.id().length();
    }
  }

  /** A hash of some bytes. */
  static long hash(byte[] bytes, int from, int to) {
    long hash = 0xcbf29ce484222325L;
    for (int i = from; i < to; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }

  /** The sensor of a field of the parser's line; null if it is not known. */
  Sensor find(LineParser line, int field, long seriesHash, LineSource source) {
    Entry entry = entries.get(place(line, field, seriesHash));
    int seriesFrom = line.measurementFrom();
    int seriesBytes = line.seriesTo() - seriesFrom;
    boolean same =
        entry != null
            && entry.seriesBytes == seriesBytes
            && Arrays.equals(entry.key, 0, seriesBytes, line.body(), seriesFrom, line.seriesTo())
            && Arrays.equals(
                entry.key,
                seriesBytes,
                entry.key.length,
                line.body(),
                line.keyFrom(field),
                line.keyTo(field))
            && entry.source.equals(source);
    return same ? entry.sensor : null;
  }

  void put(LineParser line, int field, long seriesHash, LineSource source, Sensor sensor) {
    int seriesBytes = line.seriesTo() - line.measurementFrom();
    int keyBytes = line.keyTo(field) - line.keyFrom(field);
    if (seriesBytes + keyBytes > MOST_KEY_BYTES) {
      return;
    }
    byte[] key = new byte[seriesBytes + keyBytes];
    System.arraycopy(line.body(), line.measurementFrom(), key, 0, seriesBytes);
    System.arraycopy(line.body(), line.keyFrom(field), key, seriesBytes, keyBytes);
    entries.put(place(line, field, seriesHash), new Entry(key, seriesBytes, source, sensor));
  }

  private static int place(LineParser line, int field, long seriesHash) {
    long mixed = seriesHash * 31 + hash(line.body(), line.keyFrom(field), line.keyTo(field));
    mixed ^= mixed >>> 32;
    return (int) (mixed ^ mixed >>> 18) & PLACES - 1;
  }
}

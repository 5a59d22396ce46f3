package io.weir.peers;

import io.weir.lab.bench.BatchScan;
import io.weir.lab.bench.BytesHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** Sensors of one partition of Kafka, and their open windows, in a hash table. */
final class ChainedPartition implements BatchScan.Windows<ChainedPartition.Sensor> {
  private static final int FIRST_SLOTS = 1024;

  private static final class Window {
    private final long startMs;
    private final Total total = new Total();
    private Window next;

    Window(long startMs) {
      this.startMs = startMs;
    }
  }

  /** A sensor. */
  static final class Sensor {
    private final byte[] id;
    private final int hash;
    private Window windows;

    Sensor(byte[] id, int hash) {
      this.id = id;
      this.hash = hash;
    }
  }

  private final int number;
  private long nextOffset;
  private long newestMs = Long.MIN_VALUE;
  private long closedMs = Long.MIN_VALUE;
  private Sensor[] slots = new Sensor[FIRST_SLOTS];
  private int size;

  ChainedPartition(int number) {
    this.number = number;
  }

  /** The sensor of an id, made where there was none. */
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
    return add(Arrays.copyOfRange(bytes, from, from + length), hash);
  }

  private Sensor add(byte[] id, int hash) {
    if (2 * ++size > slots.length) {
      Sensor[] old = slots;
      slots = new Sensor[2 * old.length];
      for (Sensor sensor : old) {
        if (sensor != null) {
          put(sensor);
        }
      }
    }
    Sensor sensor = new Sensor(id, hash);
    put(sensor);
    return sensor;
  }

  private void put(Sensor sensor) {
    int at = sensor.hash & slots.length - 1;
    while (slots[at] != null) {
      at = at + 1 & slots.length - 1;
    }
    slots[at] = sensor;
  }

  @Override
  public boolean add(Sensor sensor, long ms, double value) {
    Window window = sensor.windows;
    while (window != null && (ms < window.startMs || ms >= window.startMs + FlinkJob.WINDOW_MS)) {
      window = window.next;
    }
    if (window == null) {
      long startMs = ms - Math.floorMod(ms, FlinkJob.WINDOW_MS);
      if (startMs + FlinkJob.WINDOW_MS <= closedMs) {
        return false;
      }
      window = new Window(startMs);
      window.next = sensor.windows;
      sensor.windows = window;
    }
    window.total.add(1, value, value, value);
    newestMs = Math.max(newestMs, ms);
    return true;
  }

  /** A record was applied: closes what its watermark has passed. */
  void applied(long offset, long outOfOrderMs, Consumer<SensorWindow> out) {
    nextOffset = offset + 1;
    long watermarkMs = Math.max(0, newestMs) - outOfOrderMs;
    long closableMs = watermarkMs - Math.floorMod(watermarkMs, FlinkJob.WINDOW_MS);
    if (closableMs > Math.max(0, closedMs)) {
      close(closableMs, out);
    }
  }

  private void close(long upToMs, Consumer<SensorWindow> out) {
    closedMs = upToMs;
    for (Sensor sensor : slots) {
      if (sensor != null) {
        close(sensor, upToMs, out);
      }
    }
  }

  private static void close(Sensor sensor, long upToMs, Consumer<SensorWindow> out) {
    Window before = null;
    for (Window window = sensor.windows; window != null; window = window.next) {
      if (window.startMs + FlinkJob.WINDOW_MS > upToMs) {
        before = window;
        continue;
      }
      Total total = window.total;
      String id = new String(sensor.id, StandardCharsets.UTF_8);
      out.accept(
          new SensorWindow(id, window.startMs, total.count, total.sum, total.min, total.max));
      if (before == null) {
        sensor.windows = window.next;
      } else {
        before.next = window.next;
      }
    }
  }

  /** For a checkpoint. */
  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(number);
    out.writeLong(nextOffset);
    out.writeLong(newestMs);
    out.writeLong(closedMs);
    for (Sensor sensor : slots) {
      for (Window window = sensor == null ? null : sensor.windows;
          window != null;
          window = window.next) {
        out.writeShort(sensor.id.length);
        out.write(sensor.id);
        out.writeLong(window.startMs);
        out.writeLong(window.total.count);
        out.writeDouble(window.total.sum);
        out.writeDouble(window.total.min);
        out.writeDouble(window.total.max);
      }
    }
    return bytes.toByteArray();
  }

  /** Of which partition such bytes are. */
  static int numberIn(byte[] bytes) throws IOException {
    return new DataInputStream(new ByteArrayInputStream(bytes)).readInt();
  }

  /** How far such bytes have come. */
  static long offsetIn(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    in.readInt();
    return in.readLong();
  }

  static ChainedPartition ofBytes(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    ChainedPartition partition = new ChainedPartition(in.readInt());
    partition.nextOffset = in.readLong();
    partition.newestMs = in.readLong();
    partition.closedMs = in.readLong();
    while (in.available() > 0) {
      byte[] id = in.readNBytes(in.readUnsignedShort());
      Sensor sensor = partition.sensor(id, 0, id.length);
      Window window = new Window(in.readLong());
      window.total.add(in.readLong(), in.readDouble(), in.readDouble(), in.readDouble());
      window.next = sensor.windows;
      sensor.windows = window;
    }
    return partition;
  }
}

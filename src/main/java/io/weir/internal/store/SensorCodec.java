package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.SensorSpans;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import java.io.IOException;
import java.util.Arrays;

/**
 * A sensor and its newest windows as bytes. Numbers are protobuf varints; times are zigzag
 * differences, which wrap and so lose nothing.
 *
 * <pre>
 * sensor   format | its number | number of the record of changes it was written with
 *          | last active ms | flags (1 watermark, 2 evicted through,
 *          4 attested through, 8 known from, 16 hopping windows, 32 these known from,
 *          64 withheld windows evicted through)
 *          | of these those that are flagged, each less last active; of 16 the length
 *          | number of windows | windows, each: start - last active, then {@link WindowCodec}
 *          | number of its owner
 * </pre>
 */
final class SensorCodec {
  static final long NONE = Long.MIN_VALUE;
  static final int HAS_WATERMARK = 1;
  static final int HAS_EVICTED = 2;
  static final int HAS_ATTESTED = 4;
  static final int HAS_KNOWN_FROM = 8;
  static final int HAS_HOPS = 16;
  static final int HAS_HOPS_KNOWN_FROM = 32;
  static final int HAS_WITHHELD = 64;

  /** More sensors have no room in a partition. */
  private static final int MOST_NUMBER = 1 << 24;

  /** A sensor without its windows, at its longest. */
  private static final int MOST_BYTES = 128;

  private final WindowCodec windows;
  private byte[] buffer = new byte[512];

  SensorCodec(WindowCodec windows) {
    this.windows = windows;
  }

  /**
   * A sensor with its windows from an index on.
   *
   * @param number of the sensor in records of changes
   * @param record of changes that it is written with
   */
  byte[] encode(SensorWindows sensor, int fromWindow, int number, long record) throws IOException {
    int most = MOST_BYTES;
    for (int i = fromWindow; i < sensor.windows(); i++) {
      most += Long.BYTES + 2 + WindowCodec.mostBytes(sensor.window(i));
    }
    if (buffer.length < most) {
      buffer = new byte[most];
    }
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt32NoTag(number);
    out.writeUInt64NoTag(record);
    out.writeSInt64NoTag(sensor.lastActiveMs());
    writeTimes(sensor, out);
    out.writeUInt32NoTag(sensor.windows() - fromWindow);
    for (int i = fromWindow; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      out.writeSInt64NoTag(window.startMs() - sensor.lastActiveMs());
      windows.write(sensor, window, out);
    }
    out.writeUInt32NoTag(sensor.owner());
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Which times a sensor has. */
  static int flags(SensorWindows sensor) {
    SensorSpans spans = sensor.spans();
    int flags =
        flag(sensor.watermarkMs(), HAS_WATERMARK)
            | flag(sensor.evictedThroughMs(), HAS_EVICTED)
            | flag(sensor.attestedThroughMs(), HAS_ATTESTED)
            | flag(sensor.withheldThroughMs(), HAS_WITHHELD);
    if (spans == null) {
      return flags;
    }
    int hops =
        spans.hopMs() == 0 ? 0 : HAS_HOPS | flag(spans.hopsKnownFromMs(), HAS_HOPS_KNOWN_FROM);
    return flags | flag(spans.knownFromMs(), HAS_KNOWN_FROM) | hops;
  }

  private static void writeTimes(SensorWindows sensor, CodedOutputStream out) throws IOException {
    SensorSpans spans = sensor.spans();
    long knownFromMs = spans == null ? NONE : spans.knownFromMs();
    long hopMs = spans == null ? 0 : spans.hopMs();
    long hopsKnownFromMs = hopMs == 0 ? NONE : spans.hopsKnownFromMs();
    out.writeUInt32NoTag(flags(sensor));
    long baseMs = sensor.lastActiveMs();
    write(sensor.watermarkMs(), baseMs, out);
    write(sensor.evictedThroughMs(), baseMs, out);
    write(sensor.attestedThroughMs(), baseMs, out);
    write(knownFromMs, baseMs, out);
    if (hopMs > 0) {
      out.writeUInt64NoTag(hopMs);
    }
    write(hopsKnownFromMs, baseMs, out);
    write(sensor.withheldThroughMs(), baseMs, out);
  }

  private static int flag(long timeMs, int flag) {
    return timeMs == NONE ? 0 : flag;
  }

  private static void write(long timeMs, long baseMs, CodedOutputStream out) throws IOException {
    if (timeMs != NONE) {
      out.writeSInt64NoTag(timeMs - baseMs);
    }
  }

  /** Puts a sensor's own part and the windows in it back in place. */
  void decode(byte[] value, SensorWindows sensor) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    int number = in.readUInt32();
    long record = in.readUInt64();
    if (number < 1 || number > MOST_NUMBER || record < 1) {
      throw new IOException("sensor " + number + " of record " + record);
    }
    sensor.writtenWhole(number, record);
    long baseMs = in.readSInt64();
    int flags = in.readUInt32();
    long watermarkMs = read(in, flags & HAS_WATERMARK, baseMs);
    long evictedThroughMs = read(in, flags & HAS_EVICTED, baseMs);
    long attestedThroughMs = read(in, flags & HAS_ATTESTED, baseMs);
    sensor.dropIf(window -> !window.detached());
    long knownFromMs = read(in, flags & HAS_KNOWN_FROM, baseMs);
    long hopMs = (flags & HAS_HOPS) != 0 ? in.readUInt64() : 0;
    long hopsKnownFromMs = read(in, flags & HAS_HOPS_KNOWN_FROM, baseMs);
    long withheldThroughMs = read(in, flags & HAS_WITHHELD, baseMs);
    sensor.resume(watermarkMs, evictedThroughMs, attestedThroughMs, withheldThroughMs, baseMs);
    sensor.resumeSpans(knownFromMs, hopMs, hopsKnownFromMs);
    int ofWindows = in.readUInt32();
    sensor.written(Long.MAX_VALUE);
    for (int i = 0; i < ofWindows; i++) {
      long startMs = baseMs + in.readSInt64();
      windows.read(in, sensor, startMs, false);
      sensor.windowChanged(startMs);
    }
    sensor.owner(in.readUInt32());
  }

  private static long read(CodedInputStream in, int flag, long baseMs) throws IOException {
    return flag != 0 ? baseMs + in.readSInt64() : NONE;
  }
}

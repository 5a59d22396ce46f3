package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.window.SensorOwners;
import io.weir.window.SensorSpans;
import io.weir.window.SensorWindows;
import io.weir.window.Window;
import java.io.IOException;
import java.util.Arrays;

/**
 * A sensor and its newest windows as bytes. Numbers are protobuf varints; times are zigzag
 * differences, which wrap and so lose nothing.
 *
 * <pre>
 * sensor   format 2 | last active ms | flags (1 watermark, 2 evicted through,
 *          4 attested through, 8 known from, 16 hopping windows, 32 these known from)
 *          | of these those that are flagged, each less last active; of 16 the length
 *          | number of windows | windows, each: start - last active, then {@link WindowCodec}
 *          | number of its owner, if it has one
 * </pre>
 *
 * Format 1 is that of 0.1.0. It is read, and not written any more.
 */
final class SensorCodec {
  private static final long NONE = Long.MIN_VALUE;
  private static final int HAS_WATERMARK = 1;
  private static final int HAS_EVICTED = 2;
  private static final int HAS_ATTESTED = 4;
  private static final int HAS_KNOWN_FROM = 8;
  private static final int HAS_HOPS = 16;
  private static final int HAS_HOPS_KNOWN_FROM = 32;

  /** A sensor without its windows, at its longest. */
  private static final int MOST_BYTES = 96;

  private final WindowCodec windows;
  private byte[] buffer = new byte[512];

  SensorCodec(WindowCodec windows) {
    this.windows = windows;
  }

  /** A sensor with its windows from an index on. */
  byte[] encode(SensorWindows sensor, int fromWindow) throws IOException {
    int most = MOST_BYTES;
    for (int i = fromWindow; i < sensor.windows(); i++) {
      most += Long.BYTES + 2 + WindowCodec.mostBytes(sensor.window(i));
    }
    if (buffer.length < most) {
      buffer = new byte[most];
    }
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(WindowCodec.FORMAT);
    out.writeSInt64NoTag(sensor.lastActiveMs());
    writeTimes(sensor, out);
    out.writeUInt32NoTag(sensor.windows() - fromWindow);
    for (int i = fromWindow; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      out.writeSInt64NoTag(window.startMs() - sensor.lastActiveMs());
      windows.write(sensor, window, out);
    }
    if (sensor.owner() != SensorOwners.NOBODY) {
      out.writeUInt32NoTag(sensor.owner());
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  private static void writeTimes(SensorWindows sensor, CodedOutputStream out) throws IOException {
    SensorSpans spans = sensor.spans();
    long knownFromMs = spans == null ? NONE : spans.knownFromMs();
    long hopMs = spans == null ? 0 : spans.hopMs();
    long hopsKnownFromMs = hopMs == 0 ? NONE : spans.hopsKnownFromMs();
    out.writeUInt32NoTag(
        flag(sensor.watermarkMs(), HAS_WATERMARK)
            | flag(sensor.evictedThroughMs(), HAS_EVICTED)
            | flag(sensor.attestedThroughMs(), HAS_ATTESTED)
            | flag(knownFromMs, HAS_KNOWN_FROM)
            | (hopMs > 0 ? HAS_HOPS : 0)
            | flag(hopsKnownFromMs, HAS_HOPS_KNOWN_FROM));
    long baseMs = sensor.lastActiveMs();
    write(sensor.watermarkMs(), baseMs, out);
    write(sensor.evictedThroughMs(), baseMs, out);
    write(sensor.attestedThroughMs(), baseMs, out);
    write(knownFromMs, baseMs, out);
    if (hopMs > 0) {
      out.writeUInt64NoTag(hopMs);
    }
    write(hopsKnownFromMs, baseMs, out);
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
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = WindowCodec.readFormat(in);
    long baseMs = in.readSInt64();
    int flags = in.readUInt32();
    long watermarkMs = read(in, flags & HAS_WATERMARK, baseMs);
    long evictedThroughMs = read(in, flags & HAS_EVICTED, baseMs);
    long attestedThroughMs = read(in, flags & HAS_ATTESTED, baseMs);
    sensor.dropIf(window -> !window.detached());
    sensor.resume(watermarkMs, evictedThroughMs, attestedThroughMs, baseMs);
    long knownFromMs = read(in, flags & HAS_KNOWN_FROM, baseMs);
    long hopMs = (flags & HAS_HOPS) != 0 ? in.readUInt64() : 0;
    sensor.resumeSpans(knownFromMs, hopMs, read(in, flags & HAS_HOPS_KNOWN_FROM, baseMs));
    int number = in.readUInt32();
    for (int i = 0; i < number; i++) {
      long startMs = baseMs + in.readSInt64();
      windows.read(in, format, sensor, startMs, false);
      sensor.unwritten(startMs);
    }
    sensor.owner(in.isAtEnd() ? SensorOwners.NOBODY : in.readUInt32());
  }

  private static long read(CodedInputStream in, int flag, long baseMs) throws IOException {
    return flag != 0 ? baseMs + in.readSInt64() : NONE;
  }
}

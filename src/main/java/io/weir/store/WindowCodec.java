package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.window.SensorOwners;
import io.weir.window.SensorWindows;
import io.weir.window.Window;
import java.io.IOException;
import java.util.Arrays;

/**
 * Sensors and windows as bytes. Numbers are protobuf varints; times are zigzag differences, which
 * wrap and so lose nothing.
 *
 * <pre>
 * sensor   format 1 | last active ms | flags (1 watermark, 2 let go through)
 *          | watermark - last active, if flagged | let go through - last active, if flagged
 *          | number of windows | windows, each: start - last active, then as below
 *          | number of its owner, if it has one
 * window   flags (1 closed, 2 news, 4 compensation) | emissions | count | bad count
 *          | sum, [compensation,] min, max as 8 bytes little-endian each, if count is not 0
 * </pre>
 *
 * A window in an entry of its own has the format byte in front and its start in the key.
 */
final class WindowCodec {
  private static final int FORMAT = 1;
  private static final int HAS_WATERMARK = 1;
  private static final int HAS_LET_GO = 2;
  private static final int CLOSED = 1;
  private static final int NEWS = 2;
  private static final int COMPENSATED = 4;

  /** A sensor without its windows, or a window, at their longest. */
  private static final int MOST_BYTES = 80;

  private final byte[] buffer;

  WindowCodec(int mostWindows) {
    buffer = new byte[MOST_BYTES * (mostWindows + 1)];
  }

  /** A sensor with its windows from an index on. */
  byte[] encode(SensorWindows sensor, int fromWindow) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    long baseMs = sensor.lastActiveMs();
    boolean hasWatermark = sensor.watermarkMs() != Long.MIN_VALUE;
    boolean hasLetGo = sensor.letGoThroughMs() != Long.MIN_VALUE;
    out.writeUInt32NoTag(FORMAT);
    out.writeSInt64NoTag(baseMs);
    out.writeUInt32NoTag((hasWatermark ? HAS_WATERMARK : 0) | (hasLetGo ? HAS_LET_GO : 0));
    if (hasWatermark) {
      out.writeSInt64NoTag(sensor.watermarkMs() - baseMs);
    }
    if (hasLetGo) {
      out.writeSInt64NoTag(sensor.letGoThroughMs() - baseMs);
    }
    out.writeUInt32NoTag(sensor.windows() - fromWindow);
    for (int i = fromWindow; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      out.writeSInt64NoTag(window.startMs() - baseMs);
      write(window, out);
    }
    if (sensor.owner() != SensorOwners.NOBODY) {
      out.writeUInt32NoTag(sensor.owner());
    }
    return written(out);
  }

  /** A window for an entry of its own. */
  byte[] encode(Window window) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(FORMAT);
    write(window, out);
    return written(out);
  }

  private static void write(Window window, CodedOutputStream out) throws IOException {
    boolean compensated = window.compensation() != 0;
    out.writeUInt32NoTag(
        (window.closed() ? CLOSED : 0)
            | (window.news() ? NEWS : 0)
            | (compensated ? COMPENSATED : 0));
    out.writeUInt32NoTag(window.emissions());
    out.writeUInt64NoTag(window.count());
    out.writeUInt64NoTag(window.badCount());
    if (window.count() > 0) {
      out.writeDoubleNoTag(window.rawSum());
      if (compensated) {
        out.writeDoubleNoTag(window.compensation());
      }
      out.writeDoubleNoTag(window.min());
      out.writeDoubleNoTag(window.max());
    }
  }

  private byte[] written(CodedOutputStream out) {
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Puts a sensor's head and the windows in it back in place. */
  static void decode(byte[] value, SensorWindows sensor) throws IOException {
    CodedInputStream in = start(value);
    long baseMs = in.readSInt64();
    int flags = in.readUInt32();
    long watermarkMs = (flags & HAS_WATERMARK) != 0 ? baseMs + in.readSInt64() : Long.MIN_VALUE;
    long letGoThroughMs = (flags & HAS_LET_GO) != 0 ? baseMs + in.readSInt64() : Long.MIN_VALUE;
    sensor.dropAttached();
    sensor.resume(watermarkMs, letGoThroughMs, baseMs);
    int windows = in.readUInt32();
    for (int i = 0; i < windows; i++) {
      long startMs = baseMs + in.readSInt64();
      sensor.resume(read(in, startMs, false));
    }
    sensor.owner(in.isAtEnd() ? SensorOwners.NOBODY : in.readUInt32());
  }

  /** A window from an entry of its own. */
  static Window decodeDetached(byte[] value, long startMs) throws IOException {
    return read(start(value), startMs, true);
  }

  private static Window read(CodedInputStream in, long startMs, boolean detached)
      throws IOException {
    int flags = in.readUInt32();
    int emissions = in.readUInt32();
    long count = in.readUInt64();
    long badCount = in.readUInt64();
    double sum = 0;
    double compensation = 0;
    double min = 0;
    double max = 0;
    if (count > 0) {
      sum = in.readDouble();
      compensation = (flags & COMPENSATED) != 0 ? in.readDouble() : 0;
      min = in.readDouble();
      max = in.readDouble();
    }
    return new Window(
        startMs,
        count,
        badCount,
        sum,
        compensation,
        min,
        max,
        emissions,
        (flags & CLOSED) != 0,
        (flags & NEWS) != 0,
        detached);
  }

  private static CodedInputStream start(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    return in;
  }
}

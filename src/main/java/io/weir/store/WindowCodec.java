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
 * sensor   format 2 | last active ms | flags (1 watermark, 2 evicted through,
 *          4 attested through, 8 known from)
 *          | of these those that are flagged, each less last active
 *          | number of windows | windows, each: start - last active, then as below
 *          | number of its owner, if it has one
 * window   flags (1 closed, 2 changed since emitted, 8 complete) | emissions
 *          | aggregate ({@link AggregateCodec})
 * </pre>
 *
 * A window in an entry of its own has the format byte in front and its start in the key. Format 1,
 * of 0.1.0, had in place of the aggregate: count | bad count | if count is not 0: sum, [what it
 * lacks, with flag 4 of the window,] min, max as 8 bytes little-endian each. It is read, and not
 * written any more.
 */
final class WindowCodec {
  private static final int FORMAT_OF_0_1_0 = 1;
  private static final int FORMAT = 2;
  private static final int HAS_WATERMARK = 1;
  private static final int HAS_EVICTED = 2;
  private static final int HAS_ATTESTED = 4;
  private static final int HAS_KNOWN_FROM = 8;
  private static final int CLOSED = 1;
  private static final int CHANGED_SINCE_EMIT = 2;

  /** In format 1 alone. */
  private static final int COMPENSATED = 4;

  /** Not in format 1. */
  private static final int COMPLETE = 8;

  /** A sensor without its windows, or a window without its aggregate, at their longest. */
  private static final int MOST_BYTES = 64;

  private final AggregateCodec aggregates = new AggregateCodec();
  private final SampleEntries samples;
  private byte[] buffer = new byte[512];

  /**
   * @param samples where windows that are read find theirs
   */
  WindowCodec(SampleEntries samples) {
    this.samples = samples;
  }

  /** A sensor with its windows from an index on. */
  byte[] encode(SensorWindows sensor, int fromWindow) throws IOException {
    int most = MOST_BYTES;
    for (int i = fromWindow; i < sensor.windows(); i++) {
      most += mostBytes(sensor.window(i));
    }
    CodedOutputStream out = begin(most);
    long baseMs = sensor.lastActiveMs();
    boolean hasWatermark = sensor.watermarkMs() != Long.MIN_VALUE;
    boolean hasEvicted = sensor.evictedThroughMs() != Long.MIN_VALUE;
    boolean hasAttested = sensor.attestedThroughMs() != Long.MIN_VALUE;
    out.writeSInt64NoTag(baseMs);
    boolean hasKnownFrom = sensor.knownFromMs() != Long.MIN_VALUE;
    out.writeUInt32NoTag(
        (hasWatermark ? HAS_WATERMARK : 0)
            | (hasEvicted ? HAS_EVICTED : 0)
            | (hasAttested ? HAS_ATTESTED : 0)
            | (hasKnownFrom ? HAS_KNOWN_FROM : 0));
    if (hasWatermark) {
      out.writeSInt64NoTag(sensor.watermarkMs() - baseMs);
    }
    if (hasEvicted) {
      out.writeSInt64NoTag(sensor.evictedThroughMs() - baseMs);
    }
    if (hasAttested) {
      out.writeSInt64NoTag(sensor.attestedThroughMs() - baseMs);
    }
    if (hasKnownFrom) {
      out.writeSInt64NoTag(sensor.knownFromMs() - baseMs);
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
    CodedOutputStream out = begin(mostBytes(window));
    write(window, out);
    return written(out);
  }

  private static int mostBytes(Window window) {
    return MOST_BYTES + AggregateCodec.mostBytes(window);
  }

  private CodedOutputStream begin(int mostBytes) throws IOException {
    if (buffer.length < mostBytes) {
      buffer = new byte[mostBytes];
    }
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    out.writeUInt32NoTag(FORMAT);
    return out;
  }

  private void write(Window window, CodedOutputStream out) throws IOException {
    out.writeUInt32NoTag(
        (window.closed() ? CLOSED : 0)
            | (window.changedSinceEmit() ? CHANGED_SINCE_EMIT : 0)
            | (window.isComplete() ? COMPLETE : 0));
    out.writeUInt32NoTag(window.emissions());
    aggregates.write(window, out);
  }

  private byte[] written(CodedOutputStream out) {
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Puts a sensor's head and the windows in it back in place. */
  void decode(byte[] value, SensorWindows sensor) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = readFormat(in);
    long baseMs = in.readSInt64();
    int flags = in.readUInt32();
    long watermarkMs = (flags & HAS_WATERMARK) != 0 ? baseMs + in.readSInt64() : Long.MIN_VALUE;
    long evictedThroughMs = (flags & HAS_EVICTED) != 0 ? baseMs + in.readSInt64() : Long.MIN_VALUE;
    long attestedThroughMs =
        (flags & HAS_ATTESTED) != 0 ? baseMs + in.readSInt64() : Long.MIN_VALUE;
    sensor.dropIf(window -> !window.detached());
    sensor.resume(watermarkMs, evictedThroughMs, attestedThroughMs, baseMs);
    sensor.knownFromMs((flags & HAS_KNOWN_FROM) != 0 ? baseMs + in.readSInt64() : Long.MIN_VALUE);
    int windows = in.readUInt32();
    for (int i = 0; i < windows; i++) {
      long startMs = baseMs + in.readSInt64();
      sensor.resume(read(in, format, sensor.id(), startMs, false));
      sensor.unwritten(startMs);
    }
    sensor.owner(in.isAtEnd() ? SensorOwners.NOBODY : in.readUInt32());
  }

  /** A window from an entry of its own. */
  Window decodeDetached(byte[] value, byte[] sensorId, long startMs) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    return read(in, readFormat(in), sensorId, startMs, true);
  }

  private Window read(
      CodedInputStream in, int format, byte[] sensorId, long startMs, boolean detached)
      throws IOException {
    int flags = in.readUInt32();
    int emissions = in.readUInt32();
    boolean closed = (flags & CLOSED) != 0;
    boolean changed = (flags & CHANGED_SINCE_EMIT) != 0;
    boolean complete = (flags & COMPLETE) != 0;
    Window window = new Window(startMs, emissions, closed, complete, changed, detached);
    if (format == FORMAT_OF_0_1_0) {
      readCompensated(in, (flags & COMPENSATED) != 0, window);
    } else {
      AggregateCodec.read(in, window, size -> samples.of(sensorId, startMs, size));
    }
    return window;
  }

  /** A compensated sum goes on as it stands: what it had lost before is not known. */
  private static void readCompensated(CodedInputStream in, boolean compensated, Window window)
      throws IOException {
    long count = in.readUInt64();
    long badCount = in.readUInt64();
    if (count == 0) {
      window.restore(0, badCount, 0, 0, null, 0, 0, null);
      return;
    }
    double sum = in.readDouble();
    double lacks = compensated ? in.readDouble() : 0;
    window.restore(count, badCount, sum, lacks, null, in.readDouble(), in.readDouble(), null);
  }

  private static int readFormat(CodedInputStream in) throws IOException {
    int format = in.readUInt32();
    if (format != FORMAT && format != FORMAT_OF_0_1_0) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    return format;
  }
}

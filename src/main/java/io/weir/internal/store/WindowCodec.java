package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.EvictedWindow;
import io.weir.internal.window.Hop;
import io.weir.internal.window.SensorHops;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.Samples;
import java.io.IOException;
import java.util.Arrays;

/**
 * Windows as bytes, with the hopping windows that end with them. Numbers are protobuf varints.
 *
 * <pre>
 * window   flags (1 closed, 2 changed since emitted, 4 judged, 8 complete, 16 hopping window,
 *          | 32 withheld) | emissions
 *          | if flagged: flags of the hopping window (1 closed, 2 left out) | its emissions
 *          | readings at its last emission
 *          | aggregate ({@link AggregateCodec})
 * evicted  format | aggregate
 * </pre>
 *
 * A window in an entry of its own has the format in front and its start in the key.
 */
final class WindowCodec {
  private static final int CLOSED = 1;
  private static final int CHANGED_SINCE_EMIT = 2;
  private static final int JUDGED = 4;
  private static final int COMPLETE = 8;
  private static final int HAS_HOP = 16;
  private static final int WITHHELD = 32;

  /** Of a hopping window, beside {@link #CLOSED}. */
  private static final int LEFT_OUT = 2;

  /** A window without its aggregate, at its longest. */
  private static final int MOST_BYTES = 64;

  private final AggregateCodec aggregates = new AggregateCodec();
  private final WindowSpec spec;
  private final SampleEntries samples;
  private byte[] buffer = new byte[512];

  /**
   * @param samples where windows that are read find theirs
   */
  WindowCodec(WindowSpec spec, SampleEntries samples) {
    this.spec = spec;
    this.samples = samples;
  }

  /** A window for an entry of its own. */
  byte[] encode(SensorWindows sensor, Window window) throws IOException {
    CodedOutputStream out = begin(mostBytes(window));
    StateFormat.write(out);
    write(sensor, window, out);
    return written(out);
  }

  /** A window that was evicted. */
  byte[] encode(EvictedWindow window) throws IOException {
    CodedOutputStream out = begin(mostBytes(window.values()));
    StateFormat.write(out);
    aggregates.write(window.values(), out);
    return written(out);
  }

  static int mostBytes(Aggregate values) {
    return MOST_BYTES + AggregateCodec.mostBytes(values);
  }

  private CodedOutputStream begin(int mostBytes) {
    if (buffer.length < mostBytes) {
      buffer = new byte[mostBytes];
    }
    return CodedOutputStream.newInstance(buffer);
  }

  void write(SensorWindows sensor, Window window, CodedOutputStream out) throws IOException {
    writeHead(sensor, window, out);
    aggregates.write(window, out);
  }

  /** How many bytes a window takes without its aggregate, at the most. */
  static int mostHeadBytes() {
    return MOST_BYTES;
  }

  /** All of a window but its aggregate. */
  void writeHead(SensorWindows sensor, Window window, CodedOutputStream out) throws IOException {
    SensorHops hops = sensor.spans() == null ? null : sensor.spans().hops();
    Hop hop = hops == null ? null : hops.endingWith(window);
    out.writeUInt32NoTag(
        (window.closed() ? CLOSED : 0)
            | (window.changedSinceEmit() ? CHANGED_SINCE_EMIT : 0)
            | (window.isJudged() ? JUDGED : 0)
            | (window.isComplete() ? COMPLETE : 0)
            | (hop != null ? HAS_HOP : 0)
            | (window.isWithheld() ? WITHHELD : 0));
    out.writeUInt32NoTag(window.emissions());
    if (hop != null) {
      out.writeUInt32NoTag((hop.closed() ? CLOSED : 0) | (hop.leftOut() ? LEFT_OUT : 0));
      out.writeUInt32NoTag(hop.emissions());
      out.writeUInt64NoTag(hop.emittedReadings());
    }
  }

  /** Its aggregate. */
  void writeAggregate(Window window, CodedOutputStream out) throws IOException {
    aggregates.write(window, out);
  }

  private byte[] written(CodedOutputStream out) {
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Puts a window from an entry of its own back in place. */
  void decode(byte[] value, SensorWindows sensor, long startMs) throws IOException {
    read(StateFormat.read(value), sensor, startMs, true);
  }

  /** Puts a window back in place. */
  void read(CodedInputStream in, SensorWindows sensor, long startMs, boolean detached)
      throws IOException {
    readHead(in, sensor, startMs, detached, window -> readAggregate(in, sensor, window));
  }

  /** Puts back the aggregate of a window. */
  void readAggregate(CodedInputStream in, SensorWindows sensor, Window window) throws IOException {
    AggregateCodec.read(in, window, size -> samples.of(sensor.id(), window.startMs(), size));
  }

  /**
   * Puts a window back in place.
   *
   * @param in where its head is
   * @param detached whether it has an entry of its own
   * @param values puts its aggregate back
   */
  void readHead(
      CodedInputStream in,
      SensorWindows sensor,
      long startMs,
      boolean detached,
      AggregateSource values)
      throws IOException {
    int flags = in.readUInt32();
    int emissions = in.readUInt32();
    Hop hop = (flags & HAS_HOP) != 0 ? readHop(in, sensor, startMs) : null;
    Window window =
        new Window(
            startMs,
            emissions,
            (flags & CLOSED) != 0,
            (flags & COMPLETE) != 0,
            (flags & CHANGED_SINCE_EMIT) != 0,
            detached);
    if ((flags & JUDGED) != 0) {
      window.judge();
    }
    if ((flags & WITHHELD) != 0) {
      window.resumeWithheld();
    }
    values.restore(window);
    sensor.resume(spec, window, hop);
  }

  /** Leaves out the head of a window. */
  static void skipHead(CodedInputStream in) throws IOException {
    int flags = in.readUInt32();
    in.readUInt32();
    if ((flags & HAS_HOP) != 0) {
      in.readUInt32();
      in.readUInt32();
      in.readUInt64();
    }
  }

  /** Puts back the aggregate of a window. */
  @FunctionalInterface
  interface AggregateSource {
    void restore(Window window) throws IOException;
  }

  /** One that is not of the length that is switched on is not known by then, and begins again. */
  private Hop readHop(CodedInputStream in, SensorWindows sensor, long startMs) throws IOException {
    long lengthMs = spec.hopping().lengthMs(sensor.id());
    int flags = in.readUInt32();
    int emissions = in.readUInt32();
    long emittedReadings = in.readUInt64();
    return lengthMs == 0
        ? null
        : new Hop(
            startMs + spec.sizeMs() - lengthMs,
            lengthMs,
            emissions,
            (flags & CLOSED) != 0,
            (flags & LEFT_OUT) != 0,
            emittedReadings);
  }

  static EvictedWindow decodeEvicted(byte[] value, long startMs) throws IOException {
    Aggregate values = new Aggregate();
    AggregateCodec.read(StateFormat.read(value), values, WindowCodec::noSamples);
    return new EvictedWindow(startMs, values);
  }

  private static Samples noSamples(int size) {
    throw new StateMismatchException("an evicted window with " + size + " samples");
  }
}

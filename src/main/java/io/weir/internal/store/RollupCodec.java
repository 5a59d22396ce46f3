package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.Rollup;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.Samples;
import java.io.IOException;
import java.util.Arrays;

/**
 * A rollup as bytes; its size and start are in the key. Numbers are protobuf varints.
 *
 * <pre>
 * rollup  format | flags (1 closed, 2 left out, 4 settled) | emissions
 *         | readings at the last emission | if flagged: aggregate ({@link AggregateCodec})
 * </pre>
 *
 * Of windows that are kept it says nothing: they have their own entries.
 */
final class RollupCodec {
  private static final int CLOSED = 1;
  private static final int LEFT_OUT = 2;
  private static final int SETTLED = 4;

  /** All but what is settled, at its longest. */
  private static final int MOST_BYTES = 32;

  private final AggregateCodec aggregates = new AggregateCodec();
  private byte[] buffer = new byte[256];

  byte[] encode(Rollup rollup) throws IOException {
    Aggregate settled = rollup.settled();
    int most = MOST_BYTES + (settled == null ? 0 : AggregateCodec.mostBytes(settled));
    if (buffer.length < most) {
      buffer = new byte[most];
    }
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt32NoTag(
        (rollup.closed() ? CLOSED : 0)
            | (rollup.leftOut() ? LEFT_OUT : 0)
            | (settled != null ? SETTLED : 0));
    out.writeUInt32NoTag(rollup.emissions());
    out.writeUInt64NoTag(rollup.emittedReadings());
    if (settled != null) {
      aggregates.write(settled, out);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  private static Samples noSamples(int size) {
    throw new StateMismatchException("a rollup with " + size + " samples");
  }

  static Rollup decode(byte[] value, long sizeMs, long startMs) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    int flags = in.readUInt32();
    int emissions = in.readUInt32();
    long emittedReadings = in.readUInt64();
    Aggregate settled = null;
    if ((flags & SETTLED) != 0) {
      settled = new Aggregate();
      AggregateCodec.read(in, settled, RollupCodec::noSamples);
    }
    return new Rollup(
        startMs,
        sizeMs,
        emissions,
        (flags & CLOSED) != 0,
        (flags & LEFT_OUT) != 0,
        emittedReadings,
        settled);
  }
}

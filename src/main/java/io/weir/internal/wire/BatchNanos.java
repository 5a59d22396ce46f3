package io.weir.internal.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The nanoseconds below the milliseconds of a batch's readings, as varints in the order in which
 * {@link BatchEncoder} writes the readings. They are in the gateway's journal only.
 */
public final class BatchNanos {
  private static final byte[] NONE = {};

  private BatchNanos() {}

  /** The bytes; none if all are 0. */
  public static byte[] encode(BatchColumns columns) {
    if (!columns.hasNanos()) {
      return NONE;
    }
    SeriesGrouping grouping = new SeriesGrouping();
    grouping.group(columns);
    int bytes = 0;
    for (int i = 0; i < columns.size(); i++) {
      bytes += CodedOutputStream.computeUInt32SizeNoTag(columns.nanos(i));
    }
    byte[] encoded = new byte[bytes];
    CodedOutputStream out = CodedOutputStream.newInstance(encoded);
    try {
      for (int series = 0; series < grouping.count(); series++) {
        int first = grouping.firstReading(series);
        for (int i = first; i != SeriesGrouping.END; i = grouping.nextReading(i)) {
          out.writeUInt32NoTag(columns.nanos(i));
        }
      }
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("an array of the computed size did not fit", e);
    }
    return encoded;
  }

  /**
   * The nanoseconds of a batch's readings.
   *
   * @throws IOException if the bytes are too few
   */
  public static int[] decode(byte[] encoded, int readings) throws IOException {
    int[] nanos = new int[readings];
    if (encoded.length > 0) {
      CodedInputStream in = CodedInputStream.newInstance(ByteBuffer.wrap(encoded));
      for (int i = 0; i < readings; i++) {
        nanos[i] = in.readUInt32();
      }
    }
    return nanos;
  }
}

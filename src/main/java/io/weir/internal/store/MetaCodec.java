package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.RollupPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a partition's windows have in common as bytes; numbers are protobuf varints.
 *
 * <pre>
 * meta  format | window size in ms, zigzag | position ({@link InputPosition})
 *       | 1 if the state began with the partition, else 0 | life, 8 bytes | its first offset
 *       | sizes of rollups in ms
 * </pre>
 */
final class MetaCodec {
  private static final int MOST_BYTES = 42 + InputPosition.MOST_BYTES;
  private static final int MOST_ROLLUP_BYTES = 10;

  private MetaCodec() {}

  /**
   * What is beside the position.
   *
   * @param sinceStart whether the state holds all that there ever was on the partition
   * @param life of the state
   * @param firstOffset the first record that this life read
   * @param rollups that the state was kept with
   */
  record Meta(
      long windowSizeMs, boolean sinceStart, long life, long firstOffset, RollupPlan rollups) {}

  static byte[] encode(Meta meta, InputPosition position) throws IOException {
    byte[] buffer = new byte[MOST_BYTES + MOST_ROLLUP_BYTES * meta.rollups().levels()];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeSInt64NoTag(meta.windowSizeMs());
    position.write(out);
    out.writeBoolNoTag(meta.sinceStart());
    out.writeFixed64NoTag(meta.life());
    out.writeUInt64NoTag(meta.firstOffset());
    for (long rollupMs : meta.rollups().sizesMs()) {
      out.writeUInt64NoTag(rollupMs);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Puts a position back in place, and tells the rest. */
  static Meta decode(byte[] value, InputPosition position) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    long windowSizeMs = in.readSInt64();
    position.read(in);
    boolean sinceStart = in.readBool();
    long life = in.readFixed64();
    long firstOffset = in.readUInt64();
    List<Long> rollupsMs = new ArrayList<>();
    while (!in.isAtEnd()) {
      rollupsMs.add(in.readUInt64());
    }
    return new Meta(windowSizeMs, sinceStart, life, firstOffset, rollups(windowSizeMs, rollupsMs));
  }

  private static RollupPlan rollups(long windowSizeMs, List<Long> sizesMs) throws IOException {
    try {
      return RollupPlan.of(windowSizeMs, sizesMs);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage());
    }
  }
}

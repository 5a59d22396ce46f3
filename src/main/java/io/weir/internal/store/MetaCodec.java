package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.internal.window.RollupPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a partition's windows have in common as bytes; numbers are protobuf varints.
 *
 * <pre>
 * meta  format | window size in ms, zigzag | position ({@link InputPosition})
 *       | 1 if the state began with the partition, else 0 | life, 8 bytes
 *       | offset from which it is known what the life read | number of unread ranges
 *       | of each: from | to | 1 with the kept life, 8 bytes, else 0
 *       | sizes of rollups in ms
 * </pre>
 */
final class MetaCodec {
  private static final int MOST_BYTES = 42 + InputPosition.MOST_BYTES;
  private static final int MOST_RANGE_BYTES = 29;
  private static final int MOST_ROLLUP_BYTES = 10;

  private MetaCodec() {}

  /**
   * What is beside the position.
   *
   * @param sinceStart whether the state holds all that there ever was on the partition
   * @param life of the state
   * @param unread what this life has not read
   * @param rollups that the state was kept with
   */
  record Meta(
      long windowSizeMs, boolean sinceStart, long life, UnreadOffsets unread, RollupPlan rollups) {}

  static byte[] encode(Meta meta, InputPosition position) throws IOException {
    byte[] buffer =
        new byte
            [MOST_BYTES
                + MOST_RANGE_BYTES * meta.unread().ranges().size()
                + MOST_ROLLUP_BYTES * meta.rollups().levels()];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeSInt64NoTag(meta.windowSizeMs());
    position.write(out);
    out.writeBoolNoTag(meta.sinceStart());
    out.writeFixed64NoTag(meta.life());
    write(meta.unread(), out);
    for (long rollupMs : meta.rollups().sizesMs()) {
      out.writeUInt64NoTag(rollupMs);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  private static void write(UnreadOffsets unread, CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(unread.knownFrom());
    out.writeUInt32NoTag(unread.ranges().size());
    for (UnreadOffsets.Range range : unread.ranges()) {
      out.writeUInt64NoTag(range.from());
      out.writeUInt64NoTag(range.to());
      out.writeBoolNoTag(range.kept().isPresent());
      if (range.kept().isPresent()) {
        out.writeFixed64NoTag(range.kept().get().id());
      }
    }
  }

  private static UnreadOffsets unread(CodedInputStream in) throws IOException {
    long knownFrom = in.readUInt64();
    List<UnreadOffsets.Range> ranges = new ArrayList<>();
    for (int left = in.readUInt32(); left > 0; left--) {
      long from = in.readUInt64();
      long to = in.readUInt64();
      boolean kept = in.readBool();
      ranges.add(
          new UnreadOffsets.Range(
              from, to, kept ? Optional.of(new Life(in.readFixed64())) : Optional.empty()));
    }
    return new UnreadOffsets(knownFrom, ranges);
  }

  /** Puts a position back in place, and tells the rest. */
  static Meta decode(byte[] value, InputPosition position) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    long windowSizeMs = in.readSInt64();
    position.read(in);
    boolean sinceStart = in.readBool();
    long life = in.readFixed64();
    UnreadOffsets unread = unread(in);
    List<Long> rollupsMs = new ArrayList<>();
    while (!in.isAtEnd()) {
      rollupsMs.add(in.readUInt64());
    }
    return new Meta(windowSizeMs, sinceStart, life, unread, rollups(windowSizeMs, rollupsMs));
  }

  private static RollupPlan rollups(long windowSizeMs, List<Long> sizesMs) throws IOException {
    try {
      return RollupPlan.of(windowSizeMs, sizesMs);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage());
    }
  }
}

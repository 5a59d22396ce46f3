package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.PartitionTime;
import java.io.IOException;
import java.util.Arrays;

/**
 * The newest time of a partition, as an entry of the changelog; there is none where it is the last
 * record's append time, which {@link InputPosition} has: where append times only rise.
 *
 * <pre>
 * newest   format | newest time in ms, zigzag | since which append time those in a row are too
 *          far ahead, in ms, zigzag, the smallest number where they are not
 * </pre>
 */
final class NewestEntry {
  private static final int MOST_BYTES = 32;

  private final PartitionTime time;
  private long writtenNewestMs = PartitionTime.NONE;
  private long writtenAheadMs = PartitionTime.NONE;

  NewestEntry(PartitionTime time) {
    this.time = time;
  }

  /** Writes it if it changed since it was last written. */
  void flush(ChangeLog log) throws IOException {
    if (time.newestMs() == writtenNewestMs && time.aheadSinceMs() == writtenAheadMs) {
      return;
    }
    log.put(StateKey.newest(), time.newestMs() == PartitionTime.NONE ? null : encode());
    written();
  }

  private byte[] encode() throws IOException {
    byte[] buffer = new byte[MOST_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeSInt64NoTag(time.newestMs());
    out.writeSInt64NoTag(time.aheadSinceMs());
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  void restore(byte[] value) throws IOException {
    if (value == null) {
      time.restoreNewest(PartitionTime.NONE, PartitionTime.NONE);
    } else {
      CodedInputStream in = StateFormat.read(value);
      time.restoreNewest(in.readSInt64(), in.readSInt64());
    }
    written();
  }

  private void written() {
    writtenNewestMs = time.newestMs();
    writtenAheadMs = time.aheadSinceMs();
  }

  void clear() {
    time.restoreNewest(PartitionTime.NONE, PartitionTime.NONE);
    written();
  }
}

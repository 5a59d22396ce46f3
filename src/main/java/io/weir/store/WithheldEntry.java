package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Before when windows are withheld, as an entry of the changelog; there is none where no record was
 * deleted before it was read.
 *
 * <pre>
 * withheld   format | start of the first window that is not, in ms, zigzag
 * </pre>
 */
final class WithheldEntry {
  private static final int MOST_BYTES = 16;

  private boolean unwritten;

  /** It has to be written. */
  void changed() {
    unwritten = true;
  }

  /** Writes it if it changed since it was last written. */
  void flush(long beforeMs, ChangeLog log) throws IOException {
    if (unwritten) {
      byte[] buffer = new byte[MOST_BYTES];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      StateFormat.write(out);
      out.writeSInt64NoTag(beforeMs);
      log.put(StateKey.withheld(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
      unwritten = false;
    }
  }

  /** Returns before when windows are withheld. */
  static long read(byte[] value) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    return in.readSInt64();
  }

  void clear() {
    unwritten = false;
  }
}
